import { isObject } from '@tollgate/dialects'

/*
 * The body that goes upstream is the client's own text wherever possible: unknown fields, key order, spacing and long
 * numbers are preserved. One member's value is spliced into the text; anything more is serialized from the parsed body.
 */

/**
 * Returns the text with another model, whose colon is at `colon`; null when the value is not written as we would write it. No name may
 * occur twice in the text.
 */
export function withOtherModel(text: string, colon: number, from: string, to: string): string | null {
  if (colon < 0) return null
  const value = skipSpace(text, colon + 1)
  const written = JSON.stringify(from)
  if (!text.startsWith(written, value)) return null
  return text.slice(0, value) + JSON.stringify(to) + text.slice(value + written.length)
}

/** Returns the text with one more member at the end. The object must not be empty and must not have the member yet. */
export function withAddedMember(text: string, name: string, value: unknown): string {
  const end = text.lastIndexOf('}')
  return `${text.slice(0, end)},${JSON.stringify(name)}:${JSON.stringify(value)}${text.slice(end)}`
}

/**
 * Returns the text with one more member in an object that is a member of the whole; null when anything else differs between the current
 * and the wanted object, or its position is not certain.
 */
export function withGrownMember(text: string, name: string, from: unknown, to: unknown): string | null {
  if (!isObject(from) || !isObject(to)) return null
  if (Object.keys(from).some((key) => !(key in to))) return null
  const [added, ...more] = Object.keys(to).filter((key) => to[key] !== from[key] || !(key in from))
  if (added === undefined || more.length > 0 || added in from) return null
  const quoted = JSON.stringify(name)
  const start = text.indexOf(quoted)
  if (start < 0 || text.includes(quoted, start + quoted.length)) return null
  const colon = skipSpace(text, start + quoted.length)
  const open = text[colon] === ':' ? skipSpace(text, colon + 1) : -1
  if (text[open] !== '{') return null
  const separator = text[skipSpace(text, open + 1)] === '}' ? '' : ','
  return `${text.slice(0, open + 1)}${JSON.stringify(added)}:${JSON.stringify(to[added])}${separator}${text.slice(open + 1)}`
}

function skipSpace(text: string, from: number): number {
  let index = from
  while (isSpace(text.charCodeAt(index))) index += 1
  return index
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
