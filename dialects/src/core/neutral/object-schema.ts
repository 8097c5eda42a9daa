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
  if ('$ref' in schema || refusedOnTop.some((name) => name in schema))
    return flatten(schema, { schema, left: maxBranches })
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

/** So many alternatives are read in all; schemas may hold themselves. */
const maxBranches = 64

/** What references are looked up in, and how many alternatives may still be read. */
interface Root {
  readonly schema: JsonObject
  left: number
}

function flatten(schema: JsonObject, root: Root): JsonObject {
  const resolved = resolveReference(schema, root.schema)
  const flattenBranches = (list: unknown) =>
    objectsOf(list).flatMap((branch) => ((root.left -= 1) < 0 ? [] : [flatten(branch, root)]))
  const together = flattenBranches(resolved['allOf'])
  const choices = [...flattenBranches(resolved['anyOf']), ...flattenBranches(resolved['oneOf'])]
  const rest = Object.entries(resolved).filter(([name]) => !refusedOnTop.some((refused) => refused === name))
  const required = new Set([
    ...[resolved, ...together].flatMap((one) => textsOf(one['required'])),
    ...requiredByEach(choices),
  ])
  return {
    ...Object.fromEntries(rest),
    type: 'object',
    properties: joinProperties([resolved, ...together, ...choices]),
    ...(required.size > 0 && { required: [...required] }),
  }
}

const requiredByEach = ([first, ...others]: readonly JsonObject[]): readonly string[] =>
  first === undefined
    ? []
    : textsOf(first['required']).filter((name) => others.every((one) => textsOf(one['required']).includes(name)))

/** A property that the alternatives describe differently is any of these. */
function joinProperties(schemas: readonly JsonObject[]): JsonObject {
  const found = new Map<string, unknown[]>()
  for (const schema of schemas)
    for (const [name, described] of Object.entries(objectOf(schema['properties']))) {
      const known = found.get(name) ?? []
      if (!known.some((one) => JSON.stringify(one) === JSON.stringify(described)))
        found.set(name, [...known, described])
    }
  return Object.fromEntries(
    [...found].map(([name, [only, ...others]]) => [name, others.length === 0 ? only : { anyOf: [only, ...others] }]),
  )
}

/** What a reference stands for, with what comes with it; a schema without one as it is. */
export function resolveReference(schema: JsonObject, root: JsonObject): JsonObject {
  const { $ref: reference, ...rest } = schema
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return schema
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
  return next.every((one, place) => one === value[place]) ? value : next
}

function mapMembers(value: unknown, change: (member: unknown) => unknown): unknown {
  if (!isObject(value)) return value
  const next = Object.entries(value).map(([name, member]) => [name, change(member)] as const)
  return next.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(next)
}
