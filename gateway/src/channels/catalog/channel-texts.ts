import { isObject, type JsonObject } from '@tollgate/dialects'

/** A circular model mapping. */
export class MappingCycleError extends Error {
  override readonly name = 'MappingCycleError'
  constructor(readonly model: string) {
    super(`The model mapping of ${model} is circular`)
  }
}

/**
 * Parses a channel's model mapping and follows its chains: `a -> b -> c` maps both to `c`. An empty target, or one that maps to itself,
 * ends a chain.
 * @throws MappingCycleError, or SyntaxError and TypeError when the text is not a JSON object of strings.
 */
export function parseModelMapping(text: string): ReadonlyMap<string, string> {
  const steps = new Map<string, string>()
  for (const [from, to] of Object.entries(objectOfText(text) ?? {})) {
    if (typeof to !== 'string') throw new TypeError(`The model mapping of ${from} is not a string`)
    if (to !== '' && to !== from) steps.set(from, to)
  }
  return new Map([...steps.keys()].map((model) => [model, endOf(model, steps)]))
}

function endOf(model: string, steps: ReadonlyMap<string, string>): string {
  const seen = new Set([model])
  let current = model
  for (let next = steps.get(current); next !== undefined; next = steps.get(current)) {
    if (seen.has(next)) throw new MappingCycleError(model)
    seen.add(next)
    current = next
  }
  return current
}

const httpStatus = /^[1-5]\d\d$/

/**
 * Parses a status code mapping such as `{"400": "500"}`; 200 is never mapped.
 * @throws SyntaxError or TypeError when it is not an object from HTTP statuses to HTTP statuses.
 */
export function parseStatusCodeMapping(text: string): ReadonlyMap<number, number> {
  const statuses = new Map<number, number>()
  for (const [from, target] of Object.entries(objectOfText(text) ?? {})) {
    const to = typeof target === 'number' ? String(target) : target
    if (typeof to !== 'string' || !httpStatus.test(to) || !httpStatus.test(from)) {
      throw new TypeError(`The status code mapping of ${from} is not an HTTP status`)
    }
    if (from !== '200') statuses.set(Number(from), Number(to))
  }
  return statuses
}

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

/**
 * The models of a channel. Kept as the stored text and split only when the names are needed: looking for one model is a search in the
 * text, so that a snapshot of very many channels costs nothing to build.
 */
export class ModelList {
  readonly #text: string
  #names: readonly string[] | undefined

  constructor(text: string) {
    this.#text = /\s|,,/.test(text) ? `,${partsOf(text).join(',')},` : `,${text},`
  }

  get names(): readonly string[] {
    return (this.#names ??= partsOf(this.#text))
  }

  has(model: string): boolean {
    return model !== '' && !model.includes(',') && this.#text.includes(`,${model},`)
  }
}
