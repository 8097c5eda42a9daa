import { isObject, type JsonObject } from '../../../core/json'
import { resolveReference } from '../../../core/neutral/object-schema'
import { objectOf, objectsOf } from '../../../core/neutral/read'

/** Members that older models know; they refuse a request with any other. https://ai.google.dev/api/caching#Schema */
const known: ReadonlySet<string> = new Set([
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'maxItems',
  'minItems',
  'properties',
  'required',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'anyOf',
  'propertyOrdering',
  'items',
  'minimum',
  'maximum',
])

const formats: ReadonlyMap<unknown, ReadonlySet<unknown>> = new Map([
  ['string', new Set(['enum', 'date-time'])],
  ['number', new Set(['float', 'double'])],
  ['integer', new Set(['int32', 'int64'])],
])

/** Schemas that hold themselves are followed this far. */
const deepest = 24
/** How many members of schemas are written because references name them: few bytes can name very many. */
const maxReferred = 40_000

/** How many members the references of one call may still name. All its schemas share it. */
export interface ReferenceBudget {
  left: number
}

export const newReferenceBudget = (): ReferenceBudget => ({ left: maxReferred })

/** A schema in the part of OpenAPI's form that all models know; what has no word there is left out. */
export const openApiSchema = (schema: JsonObject, budget = newReferenceBudget()): JsonObject =>
  cleanSchema(schema, { schema, budget, depth: 0, isReferred: false })

/** Where a schema stands. */
interface Place {
  /** What references are looked up in. */
  readonly schema: JsonObject
  readonly budget: ReferenceBudget
  readonly depth: number
  /** A reference led here. */
  readonly isReferred: boolean
}

function cleanSchema(schema: JsonObject, place: Place): JsonObject {
  const { schema: root, budget, depth } = place
  const isReferred = place.isReferred || '$ref' in schema
  if (depth > deepest || (isReferred && budget.left < 0)) return {}
  const resolved = resolveReference(schema, root)
  if (isReferred) budget.left -= sizeOf(resolved)
  const merged = Object.assign(
    {},
    ...objectsOf(resolved['allOf']).map((one) => resolvePart(one, root, budget)),
    resolved,
  )
  const out: JsonObject = {}
  for (const [name, value] of Object.entries(objectOf(merged))) if (known.has(name)) out[name] = value
  const inner = (value: unknown): JsonObject => cleanSchema(objectOf(value), { ...place, depth: depth + 1, isReferred })
  Object.assign(out, writeType(out['type']))
  const choices = merged['anyOf'] ?? merged['oneOf']
  if (Array.isArray(choices)) Object.assign(out, writeChoices(choices, inner))
  if (isObject(out['properties'])) {
    out['properties'] = Object.fromEntries(Object.entries(out['properties']).map(([name, one]) => [name, inner(one)]))
  }
  if (out['type'] === 'array' || out['items'] !== undefined) out['items'] = inner(out['items'])
  Object.assign(out, writeEnum(out, merged['const']))
  if (!formats.get(out['type'])?.has(out['format'])) delete out['format']
  if (Array.isArray(out['required'])) Object.assign(out, { required: writeRequired(out) })
  return Object.fromEntries(Object.entries(out).filter(([, value]) => value !== undefined))
}

/** What one of several schemas that must hold together stands for. */
function resolvePart(part: JsonObject, root: JsonObject, budget: ReferenceBudget): JsonObject {
  if (!('$ref' in part)) return part
  if (budget.left < 0) return {}
  const resolved = resolveReference(part, root)
  budget.left -= sizeOf(resolved)
  return resolved
}

/** How many members it takes to write a schema, besides those of the schemas in it. */
function sizeOf(schema: JsonObject): number {
  let size = 1
  for (const value of Object.values(schema)) {
    size += 1
    if (Array.isArray(value)) size += value.length
    else if (isObject(value)) size += Object.keys(value).length
  }
  return size
}

/** Null is a mark here, and a choice of types a choice of schemas. */
function writeType(type: unknown): JsonObject {
  if (typeof type === 'string') return { type: type.toLowerCase() }
  if (!Array.isArray(type)) return { type: undefined }
  const types = type.filter((one) => typeof one === 'string' && one !== 'null')
  const nullable = types.length < type.length ? true : undefined
  if (types.length <= 1) return { type: types[0], nullable }
  return { type: undefined, nullable, anyOf: types.map((one) => ({ type: one })) }
}

function writeChoices(choices: readonly unknown[], inner: (value: unknown) => JsonObject): JsonObject {
  const others = choices.filter((one) => objectOf(one)['type'] !== 'null')
  const nullable = others.length < choices.length ? true : undefined
  const [only] = others
  return others.length === 1
    ? { anyOf: undefined, ...inner(only), ...(nullable && { nullable }) }
    : { anyOf: others.map(inner), ...(nullable && { nullable }) }
}

/** Only texts can be enumerated. */
function writeEnum({ enum: values, type }: JsonObject, constant: unknown): JsonObject {
  const all: readonly unknown[] = Array.isArray(values) ? values : constant === undefined ? [] : [constant]
  const texts = all.filter((value) => typeof value === 'string' && value !== '')
  if (texts.length === 0 || (type !== undefined && type !== 'string')) return { enum: undefined }
  return { type: 'string', enum: texts }
}

/** What is required must be among the properties. */
function writeRequired({ required: names, properties }: JsonObject): unknown {
  const there = Array.isArray(names) ? names.filter((name) => Object.hasOwn(objectOf(properties), String(name))) : []
  return there.length > 0 ? there : undefined
}
