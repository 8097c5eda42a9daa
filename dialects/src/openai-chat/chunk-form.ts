import type { ErrorView } from '../dialect'
import type { JsonObject } from '../json'
import type { UpstreamCodec } from '../neutral/codec'
import type { AnswerEvent } from '../neutral/events'
import { parsedObject } from '../neutral/read'
import { ChunkReader } from './read/chunks'

/** An event or a whole response of a vendor as a chunk in OpenAI's form, or a failure. */
export type MappedEvent =
  | { readonly chunk: JsonObject; /** Its id is that of a conversation. */ readonly isConversation?: boolean }
  | { readonly error: ErrorView }

/** Null: the event says nothing. */
export type MapEvent = (event: JsonObject) => MappedEvent | null

/** Reads the responses of a vendor whose events are OpenAI's chunks in another form. Each response gets a `MapEvent` of its own. */
export const readAsChunks = (createMapper: () => MapEvent): Pick<UpstreamCodec, 'readAnswer' | 'createReader'> => ({
  readAnswer(answer) {
    const reader = new MappedEventReader(createMapper())
    return [...reader.take(answer), ...reader.endWhole()]
  },
  createReader() {
    const reader = new MappedEventReader(createMapper())
    return {
      read({ data }) {
        const event = parsedObject(data)
        return event === null ? [] : reader.take(event)
      },
      end: () => reader.end(),
    }
  },
})

const inConversation = (event: AnswerEvent): AnswerEvent =>
  event.type === 'answer-start' ? { ...event, isConversation: true } : event

/** Reads mapped events, to a failure or the end. */
export class MappedEventReader {
  readonly #chunks = new ChunkReader()
  #hasFailed = false

  constructor(private readonly map: MapEvent) {}

  take(event: JsonObject): AnswerEvent[] {
    const mapped = this.#hasFailed ? null : this.map(event)
    if (mapped === null) return []
    if ('chunk' in mapped) {
      const events = this.#chunks.take(mapped.chunk)
      return mapped.isConversation ? events.map(inConversation) : events
    }
    this.#hasFailed = true
    return [{ type: 'failure', error: mapped.error }]
  }

  endWhole(): AnswerEvent[] {
    return this.#hasFailed ? [] : this.#chunks.endWhole()
  }

  end(): AnswerEvent[] {
    return this.#hasFailed ? [] : this.#chunks.end()
  }
}
