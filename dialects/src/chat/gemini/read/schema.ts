import { isObject, type JsonObject } from '../../../core/json'
import { member, without } from '../../../core/shared/google-members'

const counts = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'] as const
const rewritten = ['type', 'nullable', 'properties', 'items', 'anyOf', 'propertyOrdering', 'example', ...counts]

/**
 * A JSON schema for one in the vendor's part of OpenAPI's form: its types are in capitals, null is a mark next to the type,
 * counts are texts. https://ai.google.dev/api/caching#Schema
 */
export function jsonSchemaOf(schema: JsonObject): JsonObject {
  const out: JsonObject = {}
  const { type } = schema
  if (typeof type === 'string' && type !== 'TYPE_UNSPECIFIED') {
    const plain = type.toLowerCase()
    out['type'] = schema['nullable'] === true ? [plain, 'null'] : plain
  } else if (Array.isArray(type)) out['type'] = type
  Object.assign(out, without(schema, rewritten))
  // An enumeration is told by its values alone.
  if (out['format'] === 'enum') delete out['format']
  for (const name of counts) {
    const value = member(schema, name)
    if (value !== undefined) out[name] = typeof value === 'string' ? Number(value) : value
  }
  const { properties, items } = schema
  if (isObject(properties)) out['properties'] = mapSchemas(properties)
  if (items !== undefined) out['items'] = inner(items)
  const choices = member(schema, 'anyOf')
  if (Array.isArray(choices)) out['anyOf'] = choices.map(inner)
  return out
}

const inner = (value: unknown): unknown => (isObject(value) ? jsonSchemaOf(value) : value)

const mapSchemas = (schemas: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inner(schema)]))
