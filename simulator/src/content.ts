import { isObject, listOr, numberOr, objectOr, type JsonObject } from './json'

const words = [
  'the',
  'quick',
  'brown',
  'fox',
  'jumps',
  'over',
  'a',
  'lazy',
  'dog',
  'and',
  'then',
  'rests',
  'in',
  'shade',
]

/** The n-th word of every generated text, with its leading space. */
const word = (index: number): string => `${index === 0 ? '' : ' '}${words[index % words.length]}`

/** The words of a text of this many tokens. */
export const wordsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => word(index))

const thoughtWords = ['weighing', 'each', 'part', 'of', 'what', 'was', 'asked', 'before', 'answering']

/** Words of a thought, unlike those of an answer. */
export const thoughtsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index === 0 ? '' : ' '}${thoughtWords[index % thoughtWords.length]}`)

/** A value that fits a JSON schema, always the same one. */
export function sampleOf(schema: unknown, depth = 0): unknown {
  const description = objectOr(schema)
  if (Array.isArray(description['enum'])) return description['enum'][0]
  if ('const' in description) return description['const']
  const alternatives = listOr(description['anyOf'] ?? description['oneOf'])
  if (alternatives.length > 0) return sampleOf(alternatives[0], depth)
  return sampleOfType(typeOf(description), description, depth)
}

function typeOf(schema: JsonObject): unknown {
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type']
  // Gemini shouts them
  if (typeof type === 'string') return type.toLowerCase()
  return type ?? (isObject(schema['properties']) ? 'object' : 'string')
}

function sampleOfType(type: unknown, schema: JsonObject, depth: number): unknown {
  if (type === 'object') {
    const properties = Object.entries(objectOr(schema['properties']))
    return depth > 8 ? {} : Object.fromEntries(properties.map(([name, part]) => [name, sampleOf(part, depth + 1)]))
  }
  if (type === 'array') return [sampleOf(schema['items'], depth + 1)]
  if (type === 'integer' || type === 'number') {
    return Math.min(Math.max(7, numberOr(schema['minimum'], 7)), numberOr(schema['maximum'], Infinity))
  }
  if (type === 'boolean') return true
  return type === 'null' ? null : 'sample'
}

/** Texts cut into pieces of at most `size` characters; an empty text gives one empty piece. */
export function piecesOf(text: string, size: number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size))
  return pieces.length > 0 ? pieces : ['']
}

const maxDimensions = 4096

/** A vector made from a text, always the same one; each number survives a 32-bit float. */
export function vectorOf(text: string, dimensions: number): number[] {
  const length = Math.min(Math.max(1, Math.trunc(dimensions)), maxDimensions)
  let state = 2_166_136_261
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619)
  return Array.from({ length }, () => {
    state = Math.imul(state ^ (state >>> 13), 1_540_483_477)
    // sixteenths survive the way through 32-bit floats unchanged
    return ((state >>> 16) % 33) / 16 - 1
  })
}

/** The smallest PNG: one transparent pixel. Base64. */
export const tinyPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** Base64 of a text that only its writer reads: signatures, ciphers. */
export const sealOf = (text: string): string => Buffer.from(`simulated ${text}`).toString('base64')

/** Fields no client knows, in an order no serialiser would choose. */
export const unknownFields: JsonObject = { zz_vendor: { b: 1, a: [1e21, 0.1, null] }, aa_vendor: 'ünï\u2028cödé 🦊' }
