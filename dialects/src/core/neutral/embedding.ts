import type { PathContext } from '../views'
import type { JsonObject } from '../json'
import type { ReportedUsage } from '../usage'
import type { Answering, Warn } from './codec'
import { DialectError } from '../dialect-error'

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
  readonly readCall: (body: JsonObject, pathContext: PathContext) => NeutralEmbedding
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

const bytesEach = 4

/** The numbers as OpenAI packs them: little-endian floats of 32 bits, in base64. */
export function packedVector(vector: readonly number[]): string {
  const bytes = new DataView(new ArrayBuffer(vector.length * bytesEach))
  vector.forEach((value, index) => bytes.setFloat32(index * bytesEach, value, true))
  return Buffer.from(bytes.buffer).toString('base64')
}

/** The numbers of a vector, whether it is a list or packed; empty when it is neither. */
export function vectorOf(value: unknown): readonly number[] {
  if (typeof value === 'string') return unpackFloats(Buffer.from(value, 'base64'))
  return isNumbers(value) ? value : []
}

function unpackFloats({ buffer, byteOffset, length }: Buffer): number[] {
  const bytes = new DataView(buffer, byteOffset, length)
  return Array.from({ length: Math.floor(length / bytesEach) }, (_, index) => bytes.getFloat32(index * bytesEach, true))
}

export const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'number')

/** The vectors of a list; anything else stays in its place, empty. */
export const vectorsOf = (value: unknown): readonly (readonly number[])[] =>
  Array.isArray(value) ? value.map(vectorOf) : []

/** The inputs for a vendor that takes nothing but texts. @throws DialectError for tokens, whose text is unknown here, and for pictures. */
export const textInputs = ({ inputs }: NeutralEmbedding): string[] =>
  inputs.map((input) => {
    if (typeof input === 'string') return input
    throw notText(isMixed(input) ? 'pictures' : 'tokens')
  })

/** The inputs for a vendor that takes texts and pictures. @throws DialectError for tokens. */
export const mixedInputs = ({ inputs }: NeutralEmbedding): MixedInput[] =>
  inputs.map((input) => {
    if (typeof input === 'string') return { parts: [{ text: input }] }
    if (isMixed(input)) return input
    throw notText('tokens')
  })

export const isMixed = (input: EmbeddingInput): input is MixedInput => typeof input === 'object' && 'parts' in input

const notText = (what: string) =>
  new DialectError('input', 'invalid_type', `Invalid 'input': the model takes texts, not ${what}.`)

/** The address of a picture; what is mere base64, as Jina takes it, becomes one. */
export const imageUrl = (image: string): string =>
  /^(?:https?:|data:)/i.test(image) ? image : `data:image/png;base64,${image}`
