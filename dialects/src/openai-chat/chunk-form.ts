import type { ErrorView } from '../dialect'
import type { JsonObject } from '../json'
import type { UpstreamCodec } from '../neutral/codec'
import type { AnswerEvent } from '../neutral/events'
import { parsedObject } from '../neutral/read'
import { ChunkReader } from './read/chunks'

/** What an event or a whole answer says: a chunk in OpenAI's words, or a failure. */
export type Told = { readonly chunk: JsonObject } | { readonly error: ErrorView }

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

/** Reads what is told, to a failure or the end. */
class ToldReader {
  readonly #chunks = new ChunkReader()
  #hasFailed = false

  constructor(private readonly tell: Tell) {}

  take(event: JsonObject): AnswerEvent[] {
    const told = this.#hasFailed ? null : this.tell(event)
    if (told === null) return []
    if ('chunk' in told) return this.#chunks.take(told.chunk)
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
