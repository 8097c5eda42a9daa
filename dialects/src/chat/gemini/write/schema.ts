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

/** Schemas that hold themselves are followed this far, and only until so much is written. */
const deepest = 24
const max = 5000

/** A schema in the part of OpenAPI's form that all models know; what has no word there is left out. */
export const openApiSchema = (schema: JsonObject): JsonObject => cleanSchema(schema, { schema, left: max }, 0)

/** What references are looked up in, and how many schemas may still be written. */
interface Root {
  readonly schema: JsonObject
  left: number
}

function cleanSchema(schema: JsonObject, root: Root, depth: number): JsonObject {
  root.left -= 1
  if (depth > deepest || root.left < 0) return {}
  const resolved = resolveReference(schema, root.schema)
  const merged = Object.assign(
    {},
    ...objectsOf(resolved['allOf']).map((one) => resolveReference(one, root.schema)),
    resolved,
  )
  const out: JsonObject = {}
  for (const [name, value] of Object.entries(objectOf(merged))) if (known.has(name)) out[name] = value
  const inner = (value: unknown): JsonObject => cleanSchema(objectOf(value), root, depth + 1)
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
