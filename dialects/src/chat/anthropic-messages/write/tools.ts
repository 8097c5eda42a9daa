import type { JsonObject } from '../../../core/json'
import type { FunctionTool, NeutralCall, ToolChoice, VendorTool } from '../../../core/neutral/call'
import { toolLabel } from '../../../core/neutral/left-out'
import type { Warn } from '../../../core/neutral/codec'
import { plainObjectSchema } from '../../../core/neutral/object-schema'
import { objectOf, textsOf, omitUndefined } from '../../../core/neutral/read'
import type { ClaudeTraits } from '../models'
import { dialectId } from '../name'
import { writeCache } from '../cache'
import { enforceable } from './schema'

/** The tools and the choice among them; a choice without tools would be refused. */
export function writeTools(call: NeutralCall, traits: ClaudeTraits, warn: Warn): JsonObject {
  const written = call.tools.flatMap((tool) =>
    tool.kind === 'function' ? [writeFunction(tool, traits, warn)] : writeVendorTool(tool, warn),
  )
  if (written.length === 0) return {}
  // One entry may have declared several.
  const tools = [...new Set(written)]
  const names = new Set(tools.map(({ name }) => name))
  const { toolChoice: choice } = call
  const isLost = choice?.kind === 'tool' && !names.has(choice.name)
  if (isLost) warn(`the choice of the tool ${choice.name}`)
  return omitUndefined({ tools, tool_choice: writeChoice(isLost ? { ...call, toolChoice: null } : call, traits, warn) })
}

function writeFunction(tool: FunctionTool, { hasStructuredOutput }: ClaudeTraits, warn: Warn): JsonObject {
  if (tool.origin?.dialect === dialectId) return tool.origin.declared
  if (tool.isStrict === true && !hasStructuredOutput) warn('strict tools')
  const isStrict = tool.isStrict === true && hasStructuredOutput
  const schema = plainObjectSchema(tool.schema)
  return omitUndefined({
    name: tool.name,
    description: tool.description || undefined,
    input_schema: isStrict ? enforceable(schema) : schema,
    strict: isStrict ? true : undefined,
    ...writeCache(tool),
  })
}

function writeVendorTool(built: VendorTool, warn: Warn): JsonObject[] {
  const { tool, own, ...marked } = built
  if (own.dialect === dialectId) return [own.value]
  const cache = writeCache(marked)
  switch (tool) {
    case 'web-search':
      return [{ type: 'web_search_20250305', name: 'web_search', ...searchOptions(own.value), ...cache }]
    case 'web-fetch':
      return [{ type: 'web_fetch_20250910', name: 'web_fetch', ...cache }]
    case 'code-execution':
      return [{ type: 'code_execution_20250825', name: 'code_execution', ...cache }]
    default:
      warn(toolLabel(built))
      return []
  }
}

/** How many searches stand for the amount of context that OpenAI's clients ask for. */
const usesBySize: Readonly<Record<string, number>> = { low: 1, medium: 5, high: 10 }

/** From the options of OpenAI's search, in either of its forms. */
function searchOptions(options: JsonObject): JsonObject {
  const place = objectOf(options['user_location'])
  const approximate = Object.keys(objectOf(place['approximate'])).length > 0 ? objectOf(place['approximate']) : place
  const { city, region, country, timezone } = approximate
  const location = omitUndefined({ city, region, country, timezone })
  const domains = textsOf(objectOf(options['filters'])['allowed_domains'])
  return omitUndefined({
    max_uses: usesBySize[String(options['search_context_size'])],
    allowed_domains: domains.length > 0 ? domains : undefined,
    user_location: Object.keys(location).length > 0 ? { type: 'approximate', ...location } : undefined,
  })
}

function writeChoice(
  { toolChoice: choice, parallelTools }: NeutralCall,
  { refusesForcedTool }: ClaudeTraits,
  warn: Warn,
): JsonObject | undefined {
  if (choice?.kind === 'none') return { type: 'none' }
  const alone = parallelTools === false ? { disable_parallel_tool_use: true } : {}
  if (choice === null) return parallelTools === false ? { type: 'auto', ...alone } : undefined
  if (refusesForcedTool && choice.kind !== 'auto') {
    warn(forcedChoice)
    return { type: 'auto', ...alone }
  }
  return { ...writeChoiceType(choice, warn), ...alone }
}

const forcedChoice = 'that a tool must be called, which the model refuses'

function writeChoiceType(choice: Exclude<ToolChoice, { kind: 'none' }>, warn: Warn): JsonObject {
  if (choice.kind === 'auto') return { type: 'auto' }
  if (choice.kind === 'tool') return { type: 'tool', name: choice.name }
  const [only, ...others] = choice.among ?? []
  if (only !== undefined && others.length === 0) return { type: 'tool', name: only }
  if (only !== undefined) warn('a choice among some tools')
  return { type: 'any' }
}
