import type { StreamTap } from '../core/dialect'
import type { PathContext } from '../core/views'
import type { JsonObject } from '../core/json'
import type { Answering } from '../core/neutral/codec'
import type { ThinkingForm } from '../chat/openai-chat/thinking-form'
import type { Usage } from '../core/usage'

/** Writes a client's request for an upstream, with thinking in the vendor's form where it has one. @throws DialectError when the request is not allowed. */
export type Translate = (
  body: JsonObject,
  pathContext: PathContext,
  upstreamModel: string,
  thinking?: ThinkingForm | null,
) => TranslatedCall

/** A call in the dialect of the upstream, and how its response is translated back. */
export interface TranslatedCall {
  readonly body: JsonObject
  /** What the upstream's dialect cannot express: short English phrases. */
  readonly warnings: readonly string[]
  /** A whole answer for the client. `usage` takes the place of what the upstream reported. */
  answer(answer: JsonObject, usage: Usage, options: ResponseOptions): JsonObject
  /** Returns a response that is not JSON, made of one that is. Absent: `answer`, or the response as it arrives. */
  readonly raw?: (answer: JsonObject, usage: Usage) => RawAnswer
  /** A stream for the client. Absent: this kind of call has none. */
  createTap?(options: ResponseOptions): StreamTap
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
