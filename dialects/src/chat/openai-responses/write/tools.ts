import type { JsonObject } from '../../../core/json'
import type { FunctionTool, Tool, ToolChoice, VendorTool } from '../../../core/neutral/call'
import { toolLabel } from '../../../core/neutral/left-out'
import type { Warn } from '../../../core/neutral/codec'
import { explicitObjectSchema } from '../../../core/neutral/object-schema'
import { numberOrNull, objectOf, textOf, textOrNull, textsOf, omitUndefined } from '../../../core/neutral/read'
import { dialectId } from '../name'
import { takesFreeText } from '../../../core/shared/free-text'
import { hostedName } from '../read/tools'
import { firstOf } from '../../../core/shared/first-of'

/** `takesFree`: tools of free text are taken as what they are. */
export const writeTools = (tools: readonly Tool[], warn: Warn, takesFree = true): JsonObject[] =>
  tools.flatMap((tool) => (tool.kind === 'function' ? [writeFunction(tool, takesFree)] : writeBuiltIn(tool, warn)))

/** The tools as a response repeats them. */
export function toolsAsDeclared(tools: readonly Tool[], warn: Warn): JsonObject[] {
  const isOwn = (tool: Tool) => tool.kind === 'function' && tool.origin?.dialect === dialectId
  const declared = tools.flatMap((tool) =>
    isOwn(tool) && tool.kind === 'function' && tool.origin ? [tool.origin.declared] : writeTools([tool], warn),
  )
  return [...new Set(declared)].map(toolAsReported)
}

/** Members that a function may be declared without are told all the same. https://www.openresponses.org/specification */
const toolAsReported = (tool: JsonObject): JsonObject =>
  tool['type'] === 'function' ? { description: null, parameters: null, strict: null, ...tool } : tool

/** Here a tool that does not say otherwise is strict; elsewhere it is not. */
function writeFunction(tool: FunctionTool, takesFree: boolean): JsonObject {
  const { name, description, schema, isStrict, origin } = tool
  const described = description || undefined
  const isFree = takesFree && takesFreeText(tool)
  if (isFree && origin?.dialect === 'openai-chat') return fromChat({ ...objectOf(origin.declared['custom']), name })
  if (isFree) return omitUndefined({ type: 'custom', name, description: described })
  const parameters = explicitObjectSchema(schema)
  return omitUndefined({ type: 'function', name, description: described, parameters, strict: isStrict ?? false })
}

function writeBuiltIn(built: VendorTool, warn: Warn): JsonObject[] {
  const { tool, own } = built
  if (own.dialect === dialectId) return [own.value]
  switch (tool) {
    case 'web-search':
      return [{ type: 'web_search', ...searchOptions(own.value) }]
    case 'code-execution':
      return [{ type: 'code_interpreter', container: { type: 'auto' } }]
    case 'image-generation':
      return [{ type: 'image_generation' }]
    default:
      warn(toolLabel(built))
      return []
  }
}

/** A tool of free text; the other dialect nests what this one does not. */
function fromChat({ format, ...custom }: JsonObject): JsonObject {
  const { type, grammar } = objectOf(format)
  return omitUndefined({
    type: 'custom',
    ...custom,
    format: type === 'grammar' ? { type, ...objectOf(grammar) } : (format ?? undefined),
  })
}

/** https://platform.openai.com/docs/guides/tools-web-search, from the words of other dialects' searches. */
function searchOptions(options: JsonObject): JsonObject {
  const place = objectOf(options['user_location'])
  const { city, country, region, timezone } = { ...place, ...objectOf(place['approximate']) }
  const location = omitUndefined({ city, country, region, timezone })
  const domains = textsOf(options['allowed_domains'])
  return omitUndefined({
    search_context_size: textOrNull(options['search_context_size']) ?? sizeOf(numberOrNull(options['max_uses'])),
    user_location: Object.keys(location).length > 0 ? { type: 'approximate', ...location } : undefined,
    filters: domains.length > 0 ? { allowed_domains: domains } : undefined,
  })
}

/** The amount of context that stands for a number of searches. */
function sizeOf(uses: number | null): string | undefined {
  if (uses === null) return undefined
  return uses <= 1 ? 'low' : uses <= 5 ? 'medium' : 'high'
}

/** The choice among these tools, as they were written. The choice of a tool that could not be written is dropped. */
export function writeChoice(choice: ToolChoice, tools: readonly JsonObject[], warn: Warn): unknown {
  const byName = firstOf(tools, ({ name }) => textOf(name))
  const hostedByName = firstOf(tools, ({ type }) => hostedName(textOf(type)))
  const writeNamedChoice = (name: string): JsonObject[] => {
    const tool = byName.get(name)
    if (tool) return [{ type: tool['type'], name }]
    const hosted = hostedByName.get(name)
    if (hosted === undefined) warn(`the choice of the tool ${name}`)
    return hosted ? [{ type: hosted['type'] }] : []
  }
  if (choice.kind !== 'tool' && choice.kind !== 'required') return choice.kind
  const among = choice.kind === 'tool' ? writeNamedChoice(choice.name) : (choice.among ?? []).flatMap(writeNamedChoice)
  const [only] = among
  if (only === undefined) return choice.kind === 'tool' ? undefined : 'required'
  // A tool of the vendor's own can be chosen for sure only as the one that is allowed.
  return choice.kind === 'tool' && 'name' in only ? only : { type: 'allowed_tools', mode: 'required', tools: among }
}
