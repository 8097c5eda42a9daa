import type { StreamTap } from '../core/dialect'
import type { PathContext } from '../core/views'
import type { JsonObject } from '../core/json'
import type { Answering } from '../core/neutral/codec'
import type { AnswerEvent } from '../core/neutral/events'
import type { ThinkingForm } from '../chat/openai-chat/thinking-form'
import type { Usage } from '../core/usage'
import type { SearchTerms } from './searching/search-tool'

/** Writes a client's request for an upstream, with thinking in the vendor's form where it has one. @throws DialectError when the request is not allowed. */
export type Translate = (
  body: JsonObject,
  pathContext: PathContext,
  upstreamModel: string,
  thinking?: ThinkingForm | null,
) => TranslatedCall

/** Does the same in steps, each of which may take some milliseconds where a request has much structure; it yields between them. */
export type TranslateInSteps = (...request: Parameters<Translate>) => Generator<undefined, TranslatedCall, undefined>

/** A call in the dialect of the upstream, and how its response is translated back. */
export interface TranslatedCall {
  readonly body: JsonObject
  /** What the upstream's dialect cannot express: short English phrases. */
  readonly warnings: readonly string[]
  /** Reads a whole answer of the upstream. */
  read(answer: JsonObject): WholeAnswer
  /** Returns a response that is not JSON, made of one that is. Absent: `read`, or the response as it arrives. */
  readonly raw?: (answer: JsonObject, usage: Usage) => RawAnswer
  /** A stream for the client. Absent: this kind of call has none. */
  createTap?(options: ResponseOptions): StreamTap
  /** Set where the searches of a chat are run for its model: `read` and `createTap` then read `roundText`, which joins what these read. */
  readonly round?: SearchRound
}

/** A whole answer that was read. */
export interface WholeAnswer {
  /** What the client cannot be told: short English phrases. */
  readonly leftOut: readonly string[]
  /** Returns it for the client. `usage` takes the place of what the upstream reported. */
  write(usage: Usage, options: ResponseOptions): JsonObject
}

/** One of the calls by which a model searches and goes on. */
export interface SearchRound {
  /** The function by which it asks for a search. */
  readonly searchName: string
  readonly terms: SearchTerms
  /** Reads a whole answer of the upstream. */
  readAnswer(answer: JsonObject): readonly AnswerEvent[]
  /** Reads the upstream's stream. */
  createReader(): RoundReader
}

/** Reads a stream of server-sent events. */
export interface RoundReader {
  push(bytes: Uint8Array): readonly AnswerEvent[]
  /** The upstream ended. */
  end(): readonly AnswerEvent[]
}

/** A whole response that is not JSON. */
export interface RawAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
}

/** How a response is written for its client. */
export interface ResponseOptions extends Omit<Answering, 'call'> {
  /** Estimated; sent where the beginning of a stream names them and the upstream reports none before its end. */
  readonly promptTokens: number
  /** Reasoning is sent as text. */
  readonly thoughtsAsText: boolean
  /** Text between reasoning tags at the beginning of a response is sent as reasoning. */
  readonly taggedThoughts: boolean
}
