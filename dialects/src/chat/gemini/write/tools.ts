import type { JsonObject } from '../../../core/json'
import type { FunctionTool, NeutralCall, ToolChoice, VendorTool } from '../../../core/neutral/call'
import { toolLabel } from '../../../core/neutral/left-out'
import type { Warn } from '../../../core/neutral/codec'
import { plainObjectSchema } from '../../../core/neutral/object-schema'
import { objectOf } from '../../../core/neutral/read'
import { memberObject } from '../../../core/shared/google-members'
import type { GeminiTraits } from '../models'
import { dialectId } from '../name'
import { newReferenceBudget, openApiSchema, type ReferenceBudget } from './schema'

/** Functions of these names ask for the vendor's own tools. */
const builtInByName: ReadonlySet<string> = new Set(['googleSearch', 'codeExecution', 'urlContext'])

const byTool: Partial<Record<VendorTool['tool'], string>> = {
  'web-search': 'googleSearch',
  'web-fetch': 'urlContext',
  'code-execution': 'codeExecution',
}

/** The tools and the choice among them. */
export function writeTools(call: NeutralCall, own: JsonObject, traits: GeminiTraits, warn: Warn): JsonObject {
  const budget = newReferenceBudget()
  const declarations = call.tools.flatMap((tool) =>
    tool.kind === 'function' && !builtInByName.has(tool.name) ? [writeFunction(tool, traits, budget)] : [],
  )
  const vendors = vendorTools(call, declarations.length > 0, warn)
  const tools = [...(declarations.length > 0 ? [{ functionDeclarations: declarations }] : []), ...vendors]
  const functionCallingConfig = declarations.length > 0 ? writeChoice(call.toolChoice, declarations, warn) : undefined
  const toolConfig = {
    ...memberObject(own, 'toolConfig'),
    ...(functionCallingConfig && { functionCallingConfig }),
  }
  if (call.parallelTools === false && declarations.length > 0) warn('one call at a time')
  return {
    ...(tools.length > 0 && { tools }),
    ...(Object.keys(toolConfig).length > 0 && { toolConfig }),
  }
}

function writeFunction(
  { name, description, schema }: FunctionTool,
  { takesJsonSchema }: GeminiTraits,
  budget: ReferenceBudget,
): JsonObject {
  // Parameters without members are refused by older models, and say nothing.
  const isEmpty = schema['$ref'] === undefined && Object.keys(objectOf(schema['properties'])).length === 0
  const isPlain =
    isEmpty && schema['anyOf'] === undefined && schema['oneOf'] === undefined && schema['allOf'] === undefined
  return {
    name,
    ...(description !== '' && { description }),
    ...(!isPlain &&
      (takesJsonSchema
        ? { parametersJsonSchema: { ...schema, type: 'object' } }
        : { parameters: openApiSchema(plainObjectSchema(schema), budget) })),
  }
}

/** With functions, the vendor's tools are refused by most models: what the client's code relies on is kept. */
function vendorTools({ tools, own }: NeutralCall, hasFunctions: boolean, warn: Warn): JsonObject[] {
  const requested = tools.flatMap((tool) => {
    if (tool.kind === 'function') return builtInByName.has(tool.name) ? [{ [tool.name]: {} }] : []
    return vendorTool(tool, warn)
  })
  if (requested.length === 0 || !hasFunctions || own?.dialect === dialectId) return requested
  for (const tool of tools) if (tool.kind === 'built-in') warn(`${toolLabel(tool)} beside functions`)
  return []
}

function vendorTool(built: VendorTool, warn: Warn): JsonObject[] {
  const { tool, own } = built
  if (own.dialect === dialectId) return [own.value]
  const name = byTool[tool]
  if (name === undefined) warn(toolLabel(built))
  return name === undefined ? [] : [{ [name]: {} }]
}

/** Only functions can be chosen. https://ai.google.dev/api/caching#FunctionCallingConfig */
function writeChoice(choice: ToolChoice | null, declared: readonly JsonObject[], warn: Warn): JsonObject | undefined {
  if (choice === null) return undefined
  if (choice.kind === 'auto') return { mode: 'AUTO' }
  if (choice.kind === 'none') return { mode: 'NONE' }
  const requested = choice.kind === 'tool' ? [choice.name] : choice.among
  const known = new Set(declared.map(({ name }) => name))
  const names = requested?.filter((name) => known.has(name))
  for (const name of requested ?? []) if (!known.has(name)) warn(`the choice of the tool ${name}`)
  if (names?.length === 0) return choice.kind === 'tool' ? undefined : { mode: 'ANY' }
  return { mode: 'ANY', ...(names && { allowedFunctionNames: names }) }
}
