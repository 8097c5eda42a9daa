import { isObject, type JsonObject } from '@tollgate/dialects'

/** The object a stored JSON text holds; null for an empty text. @throws TypeError or SyntaxError for anything else. */
export function objectOfText(text: string): JsonObject | null {
  if (text.trim() === '') return null
  const value: unknown = JSON.parse(text)
  if (value === null) return null
  if (!isObject(value)) throw new TypeError('Not a JSON object')
  return value
}

/** The parts of a comma separated text, trimmed, each once, in their order. */
export const partsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
]
