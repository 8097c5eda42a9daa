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

export const wordsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => word(index))

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
