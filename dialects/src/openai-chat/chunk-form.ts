import type { ErrorView } from '../dialect'
import type { JsonObject } from '../json'
import type { UpstreamCodec } from '../neutral/codec'
import type { AnswerEvent } from '../neutral/events'
import { parsedObject } from '../neutral/read'
import { ChunkReader } from './read/chunks'

/** What an event or a whole answer says: a chunk in OpenAI's words, or a failure. */
export type Told =
  | { readonly chunk: JsonObject; /** Its id is that of a conversation. */ readonly isConversation?: boolean }
  | { readonly error: ErrorView }

/** Null: the event says nothing. */
export type Tell = (event: JsonObject) => Told | null

/** Reads the answers of a vendor whose events say what OpenAI's chunks say in other words. Each answer gets a `Tell` of its own. */
export const readAsChunks = (createTell: () => Tell): Pick<UpstreamCodec, 'readAnswer' | 'createReader'> => ({
  readAnswer(answer) {
    const reader = new ToldReader(createTell())
    return [...reader.take(answer), ...reader.endWhole()]
  },
  createReader() {
    const reader = new ToldReader(createTell())
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

/** Reads what is told, to a failure or the end. */
export class ToldReader {
  readonly #chunks = new ChunkReader()
  #hasFailed = false

  constructor(private readonly tell: Tell) {}

  take(event: JsonObject): AnswerEvent[] {
    const told = this.#hasFailed ? null : this.tell(event)
    if (told === null) return []
    if ('chunk' in told) {
      const events = this.#chunks.take(told.chunk)
      return told.isConversation ? events.map(inConversation) : events
    }
    this.#hasFailed = true
    return [{ type: 'failure', error: told.error }]
  }

  endWhole(): AnswerEvent[] {
    return this.#hasFailed ? [] : this.#chunks.endWhole()
  }

  end(): AnswerEvent[] {
    return this.#hasFailed ? [] : this.#chunks.end()
  }
}
