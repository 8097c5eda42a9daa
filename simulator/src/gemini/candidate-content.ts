import { sealOf, tinyPng } from '../content'
import type { JsonObject } from '../json'
import type { Generation } from '../generation'

/** What is said, as parts: in pieces for a stream, joined for a whole answer. */
export interface CandidateContent {
  readonly whole: readonly JsonObject[]
  /** One for each event before the last. */
  readonly pieces: readonly JsonObject[]
  /** Parts of the last event. */
  readonly closing: readonly JsonObject[]
}

/** The signature of the thoughts stands at the first call, or else at the text's end. */
export function partsOf(generation: Generation, number: number): CandidateContent {
  const thoughts = generation.isRedacted ? [] : generation.thoughts
  const signature = generation.thoughts.length > 0 ? { thoughtSignature: sealOf(`thought signature ${number}`) } : {}
  const calls = generation.toolCalls.map((call, index) => ({
    functionCall: { name: call.name, args: call.arguments },
    ...(index === 0 ? signature : {}),
  }))
  const images = Array.from({ length: generation.images }, () => ({
    inlineData: { mimeType: 'image/png', data: tinyPng },
  }))
  const signed = calls.length > 0 ? {} : signature
  const text = generation.pieces.join('')
  return {
    whole: [
      ...(thoughts.length > 0 ? [{ text: thoughts.join(''), thought: true }] : []),
      ...(text === '' && calls.length > 0 ? [] : [{ text, ...signed }]),
      ...images,
      ...calls,
    ],
    pieces: [
      ...thoughts.map((thought) => ({ text: thought, thought: true })),
      ...generation.pieces.map((piece) => ({ text: piece })),
      ...images,
      ...calls,
    ],
    closing: [{ text: '', ...signed }],
  }
}

/** What the answer rests on, when the vendor searched. */
export function groundingOf(generation: Generation): JsonObject {
  if (generation.searches === 0) return {}
  const text = generation.pieces.join('')
  const numbers = Array.from({ length: generation.searches }, (_, index) => index)
  return {
    groundingMetadata: {
      webSearchQueries: numbers.map((index) => `query ${index + 1}`),
      searchEntryPoint: { renderedContent: '<div>Search</div>' },
      groundingChunks: numbers.map((index) => ({
        web: { uri: `https://example.com/${index + 1}`, title: `Result ${index + 1}` },
      })),
      groundingSupports: [{ segment: { endIndex: Buffer.byteLength(text), text }, groundingChunkIndices: numbers }],
    },
  }
}
