import type { JsonObject } from './core/json'
import type { DialectId } from './core/mode'
import type { UpstreamCodec } from './core/neutral/codec'
import type { AnswerEvent } from './core/neutral/events'
import { serverEvent } from './core/streaming/sse-frames'
import { dialects } from './dialects'

/** Returns whether a vendor withheld a whole answer of a chat: each choice ended as its filter, or the model, refused the content. */
export const isAnswerWithheld = (dialect: DialectId, answer: JsonObject): boolean =>
  isWithheld(codecOf(dialect)?.readAnswer(answer) ?? [])

/** Returns the same for the events of a stream, in the dialect of the vendor. */
export function isStreamWithheld(dialect: DialectId, events: Uint8Array): boolean {
  const reader = codecOf(dialect)?.createReader()
  if (!reader) return false
  const read = decoder
    .decode(events)
    .split(/\r?\n\r?\n/)
    .map(serverEvent)
    .filter((event) => event !== null)
    .flatMap((event) => reader.read(event))
  return isWithheld([...read, ...reader.end()])
}

const decoder = new TextDecoder()

function codecOf(dialect: DialectId): UpstreamCodec | undefined {
  const { codec } = dialects[dialect]
  return codec?.kind === 'chat' ? codec.upstream : undefined
}

function isWithheld(events: readonly AnswerEvent[]): boolean {
  const ends = events.filter((event) => event.type === 'choice-end')
  return ends.length > 0 && ends.every(({ reason }) => reason === 'content-filter' || reason === 'refusal')
}
