import type { JsonScan } from '@tollgate/dialects'

/** Nothing that a client can know. */
const mark = `${crypto.randomUUID()}:`
/** What ends a string, must be unescaped, or may not stand in one. */
const special = /["\\\p{Cc}]/gu
const space = /\s*/y

/**
 * Parses a JSON text. Long strings without escapes are parts of the text and not copies: the pictures in a prompt are most of it, and would
 * be in memory twice.
 * @throws SyntaxError
 */
export function parseSharing(text: string, longStrings: JsonScan['longStrings']): unknown {
  if (longStrings.length === 0) return JSON.parse(text)
  const shared = longStrings.filter(([start, end]) => isPlain(text, start, end) && !isName(text, end))
  if (shared.length === 0) return JSON.parse(text)
  let outline = ''
  let from = 0
  for (const [index, [start, end]] of shared.entries()) {
    outline += `${text.slice(from, start)}"${mark}${index}"`
    from = end + 1
  }
  const restore = (value: unknown): unknown => {
    if (typeof value === 'string' && value.startsWith(mark)) {
      const [start, end] = shared[Number(value.slice(mark.length))] ?? [0, 0]
      return text.slice(start + 1, end)
    }
    if (Array.isArray(value)) for (const [index, item] of value.entries()) value[index] = restore(item)
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) {
        const restored = restore(member)
        if (restored !== member) Object.defineProperty(value, name, { ...writable, value: restored })
      }
    return value
  }
  return restore(JSON.parse(outline + text.slice(from)))
}

const writable = { writable: true, enumerable: true, configurable: true }

/** Whether nothing in the string needs unescaping or is forbidden in one. */
function isPlain(text: string, start: number, end: number): boolean {
  special.lastIndex = start + 1
  return special.exec(text)?.index === end
}

function isName(text: string, end: number): boolean {
  space.lastIndex = end + 1
  space.test(text)
  return text[space.lastIndex] === ':'
}
