import { isObject, type JsonObject } from '../json'
import { objectOf, objectsOf, textsOf } from './read'

/** What vendors refuse at the top of a tool's arguments, though not below it. */
const refusedOnTop = ['anyOf', 'oneOf', 'allOf', 'enum', 'not', 'const'] as const

/**
 * The schema of a tool's arguments as that of one object: a reference at its top is followed, and alternatives become the properties of all
 * of them, of which those are required that each requires. The same object where it is so already.
 *
 * OpenAI: “schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level”; Anthropic: “input_schema does
 * not support oneOf, allOf, or anyOf at the top level”. https://github.com/makenotion/notion-mcp-server/issues/340
 */
export function plainObjectSchema(schema: JsonObject): JsonObject {
  if ('$ref' in schema || refusedOnTop.some((name) => name in schema)) return flatten(schema)
  return schema['type'] === 'object' ? schema : { ...schema, type: 'object' }
}

/**
 * The same with what OpenAI's hosts want to be said: “object schema missing properties”, “array schema missing items”.
 * https://github.com/spring-projects/spring-ai/issues/4776
 */
export function explicitObjectSchema(schema: JsonObject): JsonObject {
  const plain = plainObjectSchema(schema)
  return withItems(isObject(plain['properties']) ? plain : { ...plain, properties: {} })
}

/** What alternatives may cost to read, all together: schemas may hold themselves, and name one large schema many times. */
const maxCost = 1024
/** What each costs besides its names, so that no more than 64 are read. */
const costOfBranch = 16
/** How many parts of descriptions are compared. Beyond, they count as different. */
const maxCompared = 4096

function flatten(schema: JsonObject): JsonObject {
  const resolved = resolveReference(schema, schema)
  const rest = Object.entries(resolved).filter(([name]) => !refusedOnTop.some((refused) => refused === name))
  const required = new Set<string>()
  const alternatives = new Alternatives(schema)
  alternatives.add(schema, required)
  return {
    ...Object.fromEntries(rest),
    type: 'object',
    properties: alternatives.properties(),
    ...(required.size > 0 && { required: [...required] }),
  }
}

/** Gathers the properties of a schema and of all that it holds as alternatives. */
class Alternatives {
  /** By name: how the alternatives describe it. */
  readonly #found = new Map<string, unknown[]>()
  #left = maxCost
  #compared = 0

  constructor(private readonly root: JsonObject) {}

  /** Adds a schema, and to `required` what it requires in any case. */
  add(schema: JsonObject, required: Set<string>): void {
    const resolved = resolveReference(schema, this.root)
    const properties = objectOf(resolved['properties'])
    const names = textsOf(resolved['required'])
    this.#left -= Object.keys(properties).length + names.length
    for (const [name, described] of Object.entries(properties)) this.#describe(name, described)
    for (const name of names) required.add(name)
    for (const branch of objectsOf(resolved['allOf'])) if (this.#mayRead()) this.add(branch, required)
    const choices = [...objectsOf(resolved['anyOf']), ...objectsOf(resolved['oneOf'])]
    if (choices.length === 1 && choices[0] && this.#mayRead()) this.add(choices[0], required)
    if (choices.length > 1) for (const name of this.#requiredByEach(choices)) required.add(name)
  }

  /** A property that the alternatives describe differently is any of these. */
  properties(): JsonObject {
    return Object.fromEntries(
      [...this.#found].map(([name, [only, ...others]]) => [
        name,
        others.length === 0 ? only : { anyOf: [only, ...others] },
      ]),
    )
  }

  #mayRead(): boolean {
    this.#left -= costOfBranch
    return this.#left >= 0
  }

  #requiredByEach(choices: readonly JsonObject[]): readonly string[] {
    const requiredByChoice: ReadonlySet<string>[] = []
    for (const choice of choices) {
      if (!this.#mayRead()) break
      const required = new Set<string>()
      this.add(choice, required)
      requiredByChoice.push(required)
    }
    const [first = [], ...others] = requiredByChoice
    return [...first].filter((name) => others.every((required) => required.has(name)))
  }

  #describe(name: string, described: unknown): void {
    const known = this.#found.get(name)
    if (!known) this.#found.set(name, [described])
    else if (!known.some((one) => this.#isSame(one, described))) known.push(described)
  }

  #isSame(one: unknown, other: unknown): boolean {
    if (one === other) return true
    this.#compared += 1
    if (this.#compared > maxCompared) return false
    if (Array.isArray(one))
      return (
        Array.isArray(other) &&
        one.length === other.length &&
        one.every((member, index) => this.#isSame(member, other[index]))
      )
    if (!isObject(one) || !isObject(other)) return false
    const names = Object.keys(one)
    return (
      names.length === Object.keys(other).length &&
      names.every((name) => name in other && this.#isSame(one[name], other[name]))
    )
  }
}

/** No reference is longer; a schema that holds itself has it looked up many times. */
const maxReferenceLength = 2048

/** What a reference stands for, with what comes with it; a schema without one as it is. */
export function resolveReference(schema: JsonObject, root: JsonObject): JsonObject {
  const { $ref: reference, ...rest } = schema
  if (typeof reference !== 'string' || reference.length > maxReferenceLength || !/^#(?:\/|$)/.test(reference))
    return schema
  const found = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((value, step) => objectOf(value)[decodedStep(step)], root)
  return { ...objectOf(found), ...rest }
}

const decodedStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

/** Members that hold schemas by name. */
const named: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'patternProperties'])
/** Members that hold a schema or a list of them. */
const nested: ReadonlySet<string> = new Set(['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'])

/** The schema with `items` wherever a list is, any item where it does not say. The same object where nothing is missing. */
function withItems(schema: JsonObject): JsonObject {
  const changed = Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
    const next = named.has(name) ? mapMembers(value, withItemsIn) : nested.has(name) ? withItemsIn(value) : value
    return next === value ? [] : [[name, next]]
  })
  const isList = isOfLists(schema['type']) && !('items' in schema) && !('prefixItems' in schema)
  return changed.length === 0 && !isList
    ? schema
    : { ...schema, ...Object.fromEntries(changed), ...(isList && { items: {} }) }
}

const isOfLists = (type: unknown): boolean => type === 'array' || (Array.isArray(type) && type.includes('array'))

function withItemsIn(value: unknown): unknown {
  if (isObject(value)) return withItems(value)
  if (!Array.isArray(value)) return value
  const next: unknown[] = value.map(withItemsIn)
  return next.every((one, index) => one === value[index]) ? value : next
}

function mapMembers(value: unknown, change: (member: unknown) => unknown): unknown {
  if (!isObject(value)) return value
  const next = Object.entries(value).map(([name, member]) => [name, change(member)] as const)
  return next.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(next)
}
