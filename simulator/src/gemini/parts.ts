import { sealOf, tinyPng } from '../content'
import type { JsonObject } from '../json'
import type { Generation } from '../generation'

/** What is said, as parts: in pieces for a stream, joined for a whole answer. */
export interface Parts {
  readonly whole: readonly JsonObject[]
  /** One for each event before the last. */
  readonly pieces: readonly JsonObject[]
  /** Parts of the last event. */
  readonly closing: readonly JsonObject[]
}

/** The signature of the thoughts stands at the first call, or else at the text's end. */
export function partsOf(said: Generation, number: number): Parts {
  const thoughts = said.isRedacted ? [] : said.thoughts
  const signature = said.thoughts.length > 0 ? { thoughtSignature: sealOf(`thought signature ${number}`) } : {}
  const calls = said.toolCalls.map((call, index) => ({
    functionCall: { name: call.name, args: call.arguments },
    ...(index === 0 ? signature : {}),
  }))
  const images = Array.from({ length: said.images }, () => ({
    inlineData: { mimeType: 'image/png', data: tinyPng },
  }))
  const signed = calls.length > 0 ? {} : signature
  const text = said.pieces.join('')
  return {
    whole: [
      ...(thoughts.length > 0 ? [{ text: thoughts.join(''), thought: true }] : []),
      ...(text === '' && calls.length > 0 ? [] : [{ text, ...signed }]),
      ...images,
      ...calls,
    ],
    pieces: [
      ...thoughts.map((thought) => ({ text: thought, thought: true })),
      ...said.pieces.map((piece) => ({ text: piece })),
      ...images,
      ...calls,
    ],
    closing: [{ text: '', ...signed }],
  }
}

/** What the answer rests on, when the vendor searched. */
export function groundingOf(said: Generation): JsonObject {
  if (said.searches === 0) return {}
  const text = said.pieces.join('')
  const numbers = Array.from({ length: said.searches }, (_, index) => index)
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
