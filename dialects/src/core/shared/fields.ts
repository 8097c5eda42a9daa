import { DialectError } from '../dialect-error'
import type { RequestView } from '../views'
import { isObject, type JsonObject } from '../json'

const maxModelLength = 256
const maxChoices = 128
/** Half of what fits in 32 bits, as the specification says. */
const maxTokens = 2 ** 30 - 1

const typeName = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'an array'
      : typeof value === 'object'
        ? 'an object'
        : `a ${typeof value}`

export const wrongType = (param: string, expected: string, value: unknown) =>
  new DialectError(
    param,
    'invalid_type',
    `Invalid type for '${param}': expected ${expected}, but got ${typeName(value)} instead.`,
  )

export const missing = (param: string) =>
  new DialectError(param, 'missing_required_parameter', `Missing required parameter: '${param}'.`)

/** The model of the request; `fallback` when the body names none. */
export function readModel(body: JsonObject, fallback?: string): string {
  const model = body['model'] ?? fallback
  if (model === undefined || model === '') throw missing('model')
  if (typeof model !== 'string') throw wrongType('model', 'a string', model)
  if (model.trim() === '') throw new DialectError('model', 'empty_string', "Invalid 'model': the name is empty.")
  if (model.length > maxModelLength) {
    const message = `Invalid 'model': the name must have at most ${maxModelLength} characters.`
    throw new DialectError('model', 'string_above_max_length', message)
  }
  return model
}

/** A flag; null counts as absent. */
export function readFlag(body: JsonObject, name: string): boolean {
  const value = body[name]
  if (value === undefined || value === null) return false
  if (typeof value !== 'boolean') throw wrongType(name, 'a boolean', value)
  return value
}

/** A whole number within bounds; null when absent. */
function readInteger(body: JsonObject, name: string, min: number, max: number): number | null {
  const value = body[name]
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(name, 'an integer', value)
  if (value < min) {
    const message = `Invalid '${name}': expected a value >= ${min}, but got ${value} instead.`
    throw new DialectError(name, 'integer_below_min_value', message)
  }
  if (value > max) {
    const message = `Invalid '${name}': expected a value <= ${max}, but got ${value} instead.`
    throw new DialectError(name, 'integer_above_max_value', message)
  }
  return value
}

export const readMaxTokens = (body: JsonObject, name: string, min = 1): number | null =>
  readInteger(body, name, min, maxTokens)

export const readChoices = (body: JsonObject, name = 'n'): number => readInteger(body, name, 1, maxChoices) ?? 1

/** Whether the client requested usage in the stream. */
export function readIncludeUsage(body: JsonObject): boolean {
  const options = body['stream_options']
  if (options === undefined || options === null) return false
  if (!isObject(options)) throw wrongType('stream_options', 'an object', options)
  const { include_usage: requested = null } = options
  if (requested !== null && typeof requested !== 'boolean')
    throw wrongType('stream_options.include_usage', 'a boolean', requested)
  return requested === true
}

/** A text or a list that is not empty, as prompts and inputs are. */
export function requireInput(body: JsonObject, name: string): void {
  const value = body[name]
  if (value === undefined || value === null) throw missing(name)
  if (typeof value === 'string') return
  if (!Array.isArray(value)) throw wrongType(name, 'a string or an array', value)
  if (value.length === 0) throw new DialectError(name, 'empty_array', `Invalid '${name}': the array is empty.`)
}

/** The view of a request that never streams and generates no text. */
export const wholeView = (model: string): RequestView => ({
  model,
  isStream: false,
  includeUsage: false,
  maxOutputTokens: 0,
  choices: 1,
})
