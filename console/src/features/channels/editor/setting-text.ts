/** A channel's own settings are one JSON text; a vendor's field maps to one key of it. */

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses a JSON object; an empty text is an empty object. Undefined for anything else. */
export function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the text with one key set or removed. A text that is not an object is left unchanged. */
export function withSetting(text: string, key: string, value: unknown): string {
  const settings = objectOf(text)
  if (!settings) return text
  const others = Object.entries(settings).filter(([name]) => name !== key)
  const isStored = value !== undefined && value !== '' && value !== false
  const next = isStored ? [...others, [key, value]] : others
  return next.length === 0 ? '' : JSON.stringify(Object.fromEntries(next), null, 2)
}
