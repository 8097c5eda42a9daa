import type { JsonObject } from './json'
import type { ClientCodec, UpstreamCodec } from './neutral/codec'
import type { ClientEmbeddingCodec, UpstreamEmbeddingCodec } from './neutral/embedding'
import type { ImageCodec, UpstreamImageCodec } from './neutral/image'
import type { ClientSpeechCodec, UpstreamSpeechCodec } from './neutral/speech'
import type { ClientTranscriptionCodec, UpstreamTranscriptionCodec } from './neutral/transcription'
import type { KnownNames } from './shared/known-names'
import type { DialectId } from './mode'
import type { ServiceTierMember } from './shared/service-tier'
import type { Usage } from './usage'
import type { AnswerView, PathContext, ErrorView, PromptShape, RequestView } from './views'

/** One wire format. Everything is pure; nothing throws but `readRequest`. */
export interface Dialect {
  readonly id: DialectId
  /** Translates its calls. Absent: they only pass through to upstreams that speak the dialect. */
  readonly codec?: Codec
  /**
   * Check and read what the gateway uses of a request.
   * @throws DialectError when the request is not allowed.
   */
  readonly readRequest: (body: JsonObject, pathContext: PathContext) => RequestView
  /** The members of its requests, so that none passes for another. Absent: no client speaks it. */
  readonly names?: KnownNames
  /** What the prompt is made of, for forbidden words and for counting. */
  readonly readPrompt: (body: JsonObject) => PromptShape
  /**
   * The body with the operator's instructions when it has none of its own; with `isFirst` also before those it has.
   * The same object when nothing changes. Absent: calls of this dialect have no place for instructions.
   */
  readonly withSystemPrompt?: (body: JsonObject, prompt: string, isFirst: boolean) => JsonObject
  /** The body with another model. Absent: the model is its member `model`. */
  readonly withModel?: (body: JsonObject, model: string) => JsonObject
  /** The body of a call whose caller set no limit, with one on each answer. Absent: such calls write no answer, or have one. */
  readonly withOutputLimit?: (body: JsonObject, tokens: number, upstreamModel: string) => JsonObject
  /** How requests choose a service tier. Absent: they cannot. */
  readonly serviceTier?: ServiceTierMember
  /** Headers of a client that belong to the dialect and go on to an upstream that speaks it; in lower case. */
  readonly headers?: readonly string[]
  /** Whole answers hold megabytes in few strings, as pictures do, which are not parsed where they pass as they are. */
  readonly isBulky?: boolean
  /** How many inputs a client's body has, for vendors that embed fewer in one call. Absent: vectors are not its subject. */
  readonly countInputs?: (body: JsonObject) => number
  /** The body of one of several calls that together do what this one asks for, each in one piece. Absent: it cannot be divided. */
  readonly withShare?: (body: JsonObject, share: Share) => JsonObject
  /** One whole answer with what several hold, and their usage. Absent: there are never several. */
  readonly joinAnswers?: (answers: readonly JsonObject[]) => JsonObject
  /** A whole answer that was parsed; of a bulky one without its longest strings. */
  readonly readAnswer: (answer: JsonObject) => AnswerView
  /** Returns a whole answer in the form that clients of the dialect can read; the same object where it is. Absent: it always is. */
  readonly withReadableCalls?: (answer: JsonObject) => JsonObject
  /** A tap on a stream of answers. */
  readonly createTap: (options: TapOptions) => StreamTap
  /** How streams are cut when the address asks for something else than server-sent events; null when it does not. */
  readonly streamForm?: (query: string) => StreamForm | null
  /** The question how long a prompt is, and its answer. Absent: the dialect has none. */
  readonly count?: TokenCount
  /** The body of an error. */
  readonly errorBody: (error: ErrorView) => JsonObject
  /** An error inside a stream that has begun. */
  readonly errorEvent: (error: ErrorView) => Uint8Array
  /** Reads the body of an upstream's error, whatever its shape. */
  readonly readError: (status: number, body: string) => ErrorView
  /** How images that a response only names are put into it. Absent: responses hold none. */
  readonly inlining?: ImageInlining
}

/**
 * To and from the neutral form of one kind of call. `client` reads requests and writes responses, `upstream` writes requests and reads
 * responses; a side that is absent does not speak the dialect.
 */
export type Codec =
  | CodecOf<'chat', ClientCodec, UpstreamCodec>
  | CodecOf<'embeddings', ClientEmbeddingCodec, UpstreamEmbeddingCodec>
  | CodecOf<'images', ImageCodec, UpstreamImageCodec>
  | CodecOf<'speech', ClientSpeechCodec, UpstreamSpeechCodec>
  | CodecOf<'transcriptions', ClientTranscriptionCodec, UpstreamTranscriptionCodec>

interface CodecOf<Kind extends string, Client, Upstream> {
  readonly kind: Kind
  readonly client?: Client
  readonly upstream?: Upstream
}

/** What one of several calls draws of the images that a request asks for. */
export interface Share {
  readonly count: number
  /** How many images the calls before it draw. */
  readonly before: number
}

/** Puts images into responses in place of their addresses. Pure. */
export interface ImageInlining {
  /** The client of this request wants images inside the response. */
  readonly isRequested: (request: JsonObject) => boolean
  readonly addressesIn: (answer: JsonObject) => readonly string[]
  /** Returns the response with these images, base64 text by address. */
  readonly insertImages: (answer: JsonObject, images: ReadonlyMap<string, string>) => JsonObject
}

/** Another form of a stream than server-sent events, made of them. */
export interface StreamForm {
  readonly contentType: string
  push(events: Uint8Array): Uint8Array
  end(): Uint8Array
}

/** The question how long a prompt is. */
export interface TokenCount {
  /** @throws DialectError when the request is not allowed. */
  readonly read: (
    body: JsonObject,
    pathContext: PathContext,
  ) => { readonly model: string; readonly prompt: PromptShape }
  readonly write: (tokens: number) => JsonObject
}

export interface TapOptions {
  /** Drop the chunk that carries nothing but usage: we asked for it, the client did not. */
  readonly swallowUsage: boolean
  /** The client requested usage: `finish` adds a chunk when the upstream sent none. */
  readonly addUsage: boolean
  /** `wholeAnswer` will be called: what the end of the stream may leave out is kept. */
  readonly keepsAnswer?: boolean
  /** Changes of each chunk, in order. None: bytes pass as they are. */
  readonly changes?: readonly ChunkChange[]
}

/** A change of the chunks of a stream. Has a state, so each stream needs its own. */
export interface ChunkChange {
  /** The chunks that take the place of this one. */
  chunk(chunk: JsonObject): readonly JsonObject[]
  /** Chunks to send before the stream ends. */
  end(): readonly JsonObject[]
}

/** Watches a stream on its way to the client. */
/** Counts the tokens that events report, without reading them. */
export interface UsageCounter {
  /** The sum of the counts in the last event: from event to event it grows by no less than the tokens that are reported. */
  readonly counted: number
}

export interface StreamTap extends AnswerView {
  /**
   * Take what was read; returns the whole events to forward now, often the very same array, or an empty one.
   * Ends before the end mark: that is kept for `finish`, so that the call can be settled first.
   */
  push(chunk: Uint8Array): Uint8Array
  /** The upstream ended without an end mark: read what it cut off too. Called before the call is settled. */
  end(): void
  /** What is left to forward: a usage chunk where one is owed, the end mark, and what was cut off in mid-event. */
  finish(usage: Usage | null): Uint8Array
  /** Events with data, the end mark not counted. The first one stops the clock of the first token. */
  readonly events: number
  /** Events that carried generated text. */
  readonly contentEvents: number
  /** How many bytes of JSON strings were generated. */
  readonly textBytes: number
  /**
   * The same object as long as each event is like the one before it, and reports nothing but text and how many tokens there are so far. Null
   * where `usage` alone tells, which takes longer to read.
   */
  readonly counter: UsageCounter | null
  /**
   * Ends the answer here, though the upstream has more: `finish` tells it as one that reached the limit of its output.
   * `choices` is how many were requested.
   */
  cut(choices: number): void
  /**
   * Returns the whole answer as the client got it, after `finish`; null where the stream did not end by itself or at a limit. Absent: streams
   * of the dialect do not tell it.
   */
  wholeAnswer?(): JsonObject | null
  /** What was read so far and the client cannot be told. Absent: nothing, as the stream is not translated. */
  readonly leftOut?: readonly string[]
  /** The end mark was read. */
  readonly isDone: boolean
  /** A choice said why it ended. */
  readonly isFinished: boolean
}
