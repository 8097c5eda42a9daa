/** A channel's own settings are one JSON text; a vendor's field stands for one key of it. */

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON object a text holds; an empty text is an empty one. Undefined when it holds none. */
export function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The text with one key set, or without it. A text that holds no object is left alone. */
export function withSetting(text: string, key: string, value: unknown): string {
  const settings = objectOf(text)
  if (!settings) return text
  const others = Object.entries(settings).filter(([name]) => name !== key)
  const isKept = value !== undefined && value !== '' && value !== false
  const next = isKept ? [...others, [key, value]] : others
  return next.length === 0 ? '' : JSON.stringify(Object.fromEntries(next), null, 2)
}
