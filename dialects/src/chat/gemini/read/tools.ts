import { isObject, type JsonObject } from '../../../core/json'
import type { BuiltInTool, Tool, ToolChoice } from '../../../core/neutral/call'
import { objectOf, textOf, textsOf } from '../../../core/neutral/read'
import { listOf, member, memberList, memberObject, without } from '../../../core/shared/google-members'
import { dialectId } from '../name'

const builtIns: ReadonlyMap<string, BuiltInTool> = new Map([
  ['googleSearch', 'web-search'],
  ['googleSearchRetrieval', 'web-search'],
  ['enterpriseWebSearch', 'web-search'],
  ['urlContext', 'web-fetch'],
  ['codeExecution', 'code-execution'],
  ['fileSearch', 'file-search'],
])

const camelOf = (name: string): string => name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())

/** The tools of a request: each entry may hold functions and any of the vendor's own. */
export const readTools = (tools: unknown): readonly Tool[] =>
  listOf(tools).flatMap((tool) => [
    ...memberList(tool, 'functionDeclarations').map(readFunction),
    ...Object.entries(tool).flatMap(([name, value]) => readBuiltIn(camelOf(name), value)),
  ])

function readFunction(declaration: JsonObject): Tool {
  const plain = member(declaration, 'parametersJsonSchema')
  const { parameters } = declaration
  return {
    kind: 'function',
    name: textOf(declaration['name']),
    description: textOf(declaration['description']),
    schema: { type: 'object', properties: {}, ...(plain ? objectOf(plain) : jsonSchemaOf(objectOf(parameters))) },
    isStrict: null,
  }
}

function readBuiltIn(name: string, value: unknown): Tool[] {
  if (name === 'functionDeclarations' || value === null || value === undefined) return []
  const own = { dialect: dialectId, value: { [name]: value } }
  return [{ kind: 'built-in', tool: builtIns.get(name) ?? 'other', own }]
}

/** https://ai.google.dev/api/caching#FunctionCallingConfig */
export function readToolChoice(body: JsonObject): ToolChoice | null {
  const config = memberObject(memberObject(body, 'toolConfig'), 'functionCallingConfig')
  const among = textsOf(member(config, 'allowedFunctionNames'))
  switch (textOf(config['mode']).toUpperCase()) {
    case 'AUTO':
    case 'VALIDATED':
      return { kind: 'auto' }
    case 'NONE':
      return { kind: 'none' }
    case 'ANY': {
      const [name] = among
      if (name === undefined) return { kind: 'required' }
      return among.length === 1 ? { kind: 'tool', name } : { kind: 'required', among }
    }
    default:
      return null
  }
}

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
