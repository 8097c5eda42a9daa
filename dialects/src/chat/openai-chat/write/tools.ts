import type { JsonObject } from '../../../core/json'
import {
  type FunctionTool,
  type NeutralCall,
  searchTool,
  type ToolChoice,
  type VendorTool,
} from '../../../core/neutral/call'
import { toolLabel } from '../../../core/neutral/left-out'
import type { Warn } from '../../../core/neutral/codec'
import { explicitObjectSchema } from '../../../core/neutral/object-schema'
import { numberOrNull, objectOf, textOf, textOrNull, omitUndefined } from '../../../core/neutral/read'
import { writeCache } from '../cache-mark'
import type { ChatTraits } from '../models'
import { firstOf } from '../../../core/shared/first-of'

const dialectId = 'openai-chat'

/** The tools and the choice among them; a choice without tools would be refused. */
export function writeTools(call: NeutralCall, traits: ChatTraits, warn: Warn): JsonObject {
  const tools = call.tools.flatMap((tool) =>
    tool.kind === 'function' ? [writeFunction(tool, traits)] : writeBuiltIn(tool, traits, warn),
  )
  const search = searchTool(call.tools)
  const hasTools = tools.length > 0
  return {
    tools: hasTools ? tools : undefined,
    tool_choice: hasTools && call.toolChoice ? writeChoice(call.toolChoice, tools, warn) : undefined,
    parallel_tool_calls: hasTools ? (call.parallelTools ?? undefined) : undefined,
    web_search_options: search && traits.takesWebSearch ? searchOptions(search) : undefined,
  }
}

function writeFunction(tool: FunctionTool, traits: ChatTraits): JsonObject {
  const { name, description, schema, isStrict, origin } = tool
  if (traits.isOpenAi && origin?.dialect === dialectId)
    return { ...origin.declared, custom: { ...objectOf(origin.declared['custom']), name } }
  const described = omitUndefined({
    name,
    description: description || undefined,
    parameters: explicitObjectSchema(schema),
    strict: isStrict ?? undefined,
  })
  return { type: 'function', function: described, ...writeCache(tool, traits) }
}

function writeBuiltIn(built: VendorTool, traits: ChatTraits, warn: Warn): JsonObject[] {
  const { tool, own } = built
  if (tool === 'web-search' && traits.takesWebSearch) return []
  if (tool !== 'web-search' && own.dialect === dialectId) return [own.value]
  warn(toolLabel(built))
  return []
}

/** https://platform.openai.com/docs/guides/tools-web-search?api-mode=chat, from the words of other dialects' searches. */
function searchOptions({ own }: VendorTool): JsonObject {
  if (own.dialect === dialectId) return own.value
  const { city, country, region, timezone } = objectOf(own.value['user_location'])
  const approximate = omitUndefined({ city, country, region, timezone })
  return omitUndefined({
    search_context_size: textOrNull(own.value['search_context_size']) ?? sizeOf(numberOrNull(own.value['max_uses'])),
    user_location: Object.keys(approximate).length > 0 ? { type: 'approximate', approximate } : undefined,
  })
}

/** The amount of context that stands for a number of searches. */
function sizeOf(uses: number | null): string | undefined {
  if (uses === null) return undefined
  return uses <= 1 ? 'low' : uses <= 5 ? 'medium' : 'high'
}

const nameOf = (tool: JsonObject): string => textOf(objectOf(tool['function'] ?? tool['custom'])['name'])

/** The choice of a tool that could not be written is dropped. */
function writeChoice(choice: ToolChoice, tools: readonly JsonObject[], warn: Warn): unknown {
  const byName = firstOf(tools, nameOf)
  const writeNamedChoice = (name: string): JsonObject[] => {
    const tool = byName.get(name)
    if (tool === undefined) {
      warn(`the choice of the tool ${name}`)
      return []
    }
    return [tool['type'] === 'custom' ? { type: 'custom', custom: { name } } : { type: 'function', function: { name } }]
  }
  if (choice.kind === 'tool') return writeNamedChoice(choice.name)[0]
  if (choice.kind !== 'required' || choice.among === undefined) return choice.kind
  const among = choice.among.flatMap(writeNamedChoice)
  return among.length === 0 ? 'required' : { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: among } }
}
