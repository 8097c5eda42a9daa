import type { JsonObject } from '../../core/json'
import { CodecObserver } from '../../core/streaming/accumulator'
import type { StreamCut } from '../../core/streaming/observer'
import { PassingTap } from '../../core/streaming/passing-tap'
import { cohereChatCodec } from './codec'
import { usageBody } from './usage'
import { endMark, eventText } from './write/response'

export const createTap = (): PassingTap => new PassingTap(new CodecObserver(cohereChatCodec.createReader(), cutEvents))

/** The events that may be open, each with the one that ends it. */
const ends: Readonly<Record<string, string>> = {
  'content-start': 'content-end',
  'content-delta': 'content-end',
  'tool-call-start': 'tool-call-end',
  'tool-call-delta': 'tool-call-end',
}

/** The events that end a stream at the limit of its output. */
function cutEvents({ usage }: StreamCut, { type, index }: JsonObject): string {
  const end = typeof type === 'string' ? ends[type] : undefined
  const delta = { finish_reason: 'MAX_TOKENS', ...(usage && { usage: usageBody(usage) }) }
  return [...(end === undefined ? [] : [{ type: end, index }]), { type: 'message-end', delta }, endMark]
    .map(eventText)
    .join('')
}
