import type { JsonObject } from '../../core/json'
import { textOf } from '../../core/neutral/read'
import { CodecObserver } from '../../core/streaming/accumulator'
import type { StreamCut } from '../../core/streaming/observer'
import { PassingTap } from '../../core/streaming/passing-tap'
import { ollamaChatCodec } from './codec'
import { eventText, inMessage, type PieceForm } from './write/response'

export const createTap = (): PassingTap =>
  new PassingTap(new CodecObserver(ollamaChatCodec.createReader(), cutLine(inMessage)))

/** The line that ends a stream at the limit of its output. */
export const cutLine =
  (form: PieceForm) =>
  ({ usage }: StreamCut, last: JsonObject): string =>
    eventText({
      model: textOf(last['model']),
      created_at: textOf(last['created_at']),
      ...form({}),
      done: true,
      done_reason: 'length',
      prompt_eval_count: usage?.promptTokens ?? 0,
      eval_count: usage?.completionTokens ?? 0,
    })
