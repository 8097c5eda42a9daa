import { isObject, type JsonObject } from '../../../core/json'

/** Bounds that a grammar cannot hold; the model is told of them in words instead. */
const bounds: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
])

/** Members that hold schemas by name. */
const named: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions'])
/** Members that hold a schema or a list of them. */
const nested: ReadonlySet<string> = new Set(['items', 'anyOf', 'oneOf', 'allOf'])

/**
 * A schema as an answer can be held to: objects are closed, and bounds that are not enforced move to the description.
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 */
export function enforceable(schema: JsonObject): JsonObject {
  const reported: string[] = []
  const result: JsonObject = {}
  for (const [name, value] of Object.entries(schema)) {
    if (bounds.has(name) || (name === 'minItems' && value !== 0 && value !== 1)) {
      reported.push(`${name}: ${JSON.stringify(value)}`)
    } else
      result[name === 'oneOf' ? 'anyOf' : name] = named.has(name)
        ? mapSchemas(value)
        : nested.has(name)
          ? each(value)
          : value
  }
  if (isOfObjects(result)) result['additionalProperties'] = false
  if (reported.length > 0)
    result['description'] = [result['description'], `{${reported.join(', ')}}`].filter(Boolean).join(' ')
  return result
}

const isOfObjects = ({ type, properties }: JsonObject): boolean =>
  type === 'object' || properties !== undefined || (Array.isArray(type) && type.includes('object'))

const each = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(each) : isObject(value) ? enforceable(value) : value

const mapSchemas = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, each(schema)])) : value
