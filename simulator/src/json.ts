/** A parsed JSON object that has not been validated yet. */
export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectOr = (value: unknown): JsonObject => (isObject(value) ? value : {})
export const listOr = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)
export const numberOr = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

/** The parsed text, or `undefined` when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
