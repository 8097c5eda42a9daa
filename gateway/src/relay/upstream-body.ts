/*
 * The body that goes upstream is the client's own text wherever possible: unknown fields, key order, spacing and long
 * numbers stay what they are. One member's value is spliced in the text; anything more is written anew from the parsed body.
 */

/**
 * The text with another model, whose colon stands at `colon`; null when the value is not written as we would write it.
 * No name may stand twice in the text.
 */
export function withOtherModel(text: string, colon: number, from: string, to: string): string | null {
  if (colon < 0) return null
  const value = skipSpace(text, colon + 1)
  const written = JSON.stringify(from)
  if (!text.startsWith(written, value)) return null
  return text.slice(0, value) + JSON.stringify(to) + text.slice(value + written.length)
}

/** The text with one more member at the end. The object must not be empty and must not have the member yet. */
export function withAddedMember(text: string, name: string, value: unknown): string {
  const end = text.lastIndexOf('}')
  return `${text.slice(0, end)},${JSON.stringify(name)}:${JSON.stringify(value)}${text.slice(end)}`
}

function skipSpace(text: string, from: number): number {
  let index = from
  while (isSpace(text.charCodeAt(index))) index += 1
  return index
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
