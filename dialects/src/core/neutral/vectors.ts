import { DialectError } from '../dialect-error'
import type { EmbeddingInput, MixedInput, NeutralEmbedding } from './embedding'

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
