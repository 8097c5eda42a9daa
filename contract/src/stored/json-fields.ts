import type * as z from 'zod'

/** Returns the object in a JSON text; undefined when there is none. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the fields of a stored object that fit a schema, in which every field is optional or has a default. A field that does not fit,
 * as other releases and programs may write, counts as absent.
 */
export function fittingFields<Schema extends z.ZodObject>(
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const wrong = new Set(result.error.issues.map(({ path: [name] }) => name))
  return schema.parse(Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name))))
}

/** Applies `fittingFields` to a JSON text; a text without a JSON object counts as an empty object. */
export const readFields = <Schema extends z.ZodObject>(schema: Schema, text: string): z.output<Schema> =>
  fittingFields(schema, parseObject(text) ?? {})
