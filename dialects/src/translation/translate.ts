import type { CallPlace, StreamTap } from '../dialect'
import type { JsonObject } from '../json'
import type { Answering } from '../neutral/codec'
import type { Usage } from '../usage'

/** Writes a client's request for an upstream. @throws DialectError when the request is not allowed. */
export type Translate = (body: JsonObject, place: CallPlace, upstreamModel: string) => TranslatedCall

/** A call in the words of the upstream's dialect, and its answer's way back. */
export interface TranslatedCall {
  readonly body: JsonObject
  /** What could not be said: short English phrases. */
  readonly warnings: readonly string[]
  /** A whole answer for the client. `usage` takes the place of what the upstream reported. */
  answer(answer: JsonObject, usage: Usage, wish: AnswerWish): JsonObject
  /** Returns a response that is not JSON, made of one that is. Absent: `answer`, or the response as it arrives. */
  readonly raw?: (answer: JsonObject, usage: Usage) => RawAnswer
  /** A stream for the client. Absent: this kind of call has none. */
  createTap?(wish: AnswerWish): StreamTap
}

/** A whole response that is not JSON. */
export interface RawAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
}

/** How an answer shall be written. */
export interface AnswerWish extends Omit<Answering, 'call'> {
  /** Estimated; told where a stream's beginning names them and the upstream says nothing before its end. */
  readonly promptTokens: number
  /** Thoughts are told as text. */
  readonly thoughtsAsText: boolean
  /** Text between the tags of thoughts at an answer's beginning is told as a thought. */
  readonly taggedThoughts: boolean
}
