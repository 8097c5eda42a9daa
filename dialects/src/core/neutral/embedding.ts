import type { PathContext } from '../views'
import type { JsonObject } from '../json'
import type { ReportedUsage } from '../usage'
import type { Answering, Warn } from './codec'

/** A call for the vectors of texts, in no dialect's form. */
export interface NeutralEmbedding {
  readonly model: string
  readonly inputs: readonly EmbeddingInput[]
  /** The client asked in the form for several at once, and is answered in it. */
  readonly isBatch: boolean
  /** Null: as many as the model has. */
  readonly dimensions: number | null
  /** How the client wants the numbers. */
  readonly encoding: 'float' | 'base64' | 'both'
  /** What the vectors are for; null: not said. */
  readonly task: EmbeddingTask | null
  /** The title of the document. */
  readonly title: string | null
  /** Who the end user is, as the client's application names them. */
  readonly user: string | null
  /** Members that only some dialects' writers understand. */
  readonly own: JsonObject
}

/** A text, the numbers of its tokens, or pictures and texts that make one vector. */
export type EmbeddingInput = string | readonly number[] | MixedInput

export interface MixedInput {
  readonly parts: readonly EmbeddingPart[]
}

/** The picture is an address, which may hold its data. */
type EmbeddingPart = { readonly text: string } | { readonly image: string }

export type EmbeddingTask =
  | 'query'
  | 'document'
  | 'similarity'
  | 'classification'
  | 'clustering'
  | 'question-answering'
  | 'fact-verification'
  | 'code-query'

/** The vectors, in the order of the inputs. */
export interface NeutralVectors {
  /** The vendor's name of the model, or empty. */
  readonly model: string
  readonly vectors: readonly (readonly number[])[]
  /** Null when the upstream reported none that can be believed. */
  readonly usage: ReportedUsage | null
}

/** What an answer is written for. */
export interface EmbeddingAnswering extends Pick<Answering, 'model' | 'newId' | 'clock' | 'startedAt'> {
  readonly call: NeutralEmbedding
}

/** One dialect of calls for vectors, to and from the neutral form. Pure. */
export interface EmbeddingCodec {
  /** A client's request. @throws DialectError when it is not allowed. */
  readonly readCall: (body: JsonObject, place: PathContext) => NeutralEmbedding
  /** A request for an upstream. @throws DialectError when its inputs cannot be said: tokens where only texts are taken. */
  readonly writeCall: (call: NeutralEmbedding, warn: Warn) => JsonObject
  /** An upstream's answer. */
  readonly readAnswer: (answer: JsonObject) => NeutralVectors
  /** An answer for a client. */
  readonly writeAnswer: (answer: NeutralVectors, answering: EmbeddingAnswering) => JsonObject
}

/** A dialect that only upstreams speak. */
export type UpstreamEmbeddingCodec = Pick<EmbeddingCodec, 'writeCall' | 'readAnswer'>

/** A dialect that only clients speak. */
export type ClientEmbeddingCodec = Pick<EmbeddingCodec, 'readCall' | 'writeAnswer'>
