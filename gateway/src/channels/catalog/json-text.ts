import { isObject, type JsonObject } from '@tollgate/dialects'

/** Parses a stored JSON object; null for an empty text. @throws TypeError or SyntaxError for anything else. */
export function objectOfText(text: string): JsonObject | null {
  if (text.trim() === '') return null
  const value: unknown = JSON.parse(text)
  if (value === null) return null
  if (!isObject(value)) throw new TypeError('Not a JSON object')
  return value
}

/** Returns the parts of a comma-separated text, trimmed, each once, in order. */
export const partsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
]
