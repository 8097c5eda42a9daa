import { objectOfText } from './json-text'

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
