import type { JsonObject } from '../../../core/json'
import type { BuiltInTool, Tool, ToolChoice } from '../../../core/neutral/call'
import { flagOrNull, objectOf, textOf } from '../../../core/neutral/read'
import { dialectId } from '../name'
import { clientToolForm } from '../client-tools'
import { readCache } from '../cache'
import { readToolset } from '../toolsets'

/** Beginnings of the dated types of the vendor's own tools. */
const builtIn: readonly (readonly [prefix: string, tool: BuiltInTool])[] = [
  ['web_search_', 'web-search'],
  ['web_fetch_', 'web-fetch'],
  ['code_execution_', 'code-execution'],
]

/** The tools that one entry declares: a toolset stands for several. */
export const readTools = (tool: JsonObject): readonly Tool[] => readToolset(tool) ?? [readTool(tool)]

/** A declared tool: the client's own has no type or is `custom`; of the others the client runs some. */
function readTool(tool: JsonObject): Tool {
  const type = textOf(tool['type'])
  if (type === '' || type === 'custom') {
    return {
      kind: 'function',
      name: textOf(tool['name']),
      description: textOf(tool['description']),
      schema: objectOf(tool['input_schema']),
      isStrict: flagOrNull(tool['strict']),
      ...readCache(tool),
    }
  }
  const own = clientToolForm(tool)
  if (own) {
    const { description, schema } = own
    const name = textOf(tool['name'])
    const origin = { dialect: dialectId, type, name, declared: tool }
    return { kind: 'function', name, description, schema, isStrict: null, origin, ...readCache(tool) }
  }
  return {
    kind: 'built-in',
    tool: builtIn.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'other',
    own: { dialect: dialectId, value: tool },
    ...readCache(tool),
  }
}

export function readToolChoice(choice: JsonObject): ToolChoice | null {
  switch (choice['type']) {
    case 'auto':
      return { kind: 'auto' }
    case 'none':
      return { kind: 'none' }
    case 'any':
      return { kind: 'required' }
    case 'tool': {
      const name = textOf(choice['name'])
      return name === '' ? null : { kind: 'tool', name }
    }
    default:
      return null
  }
}

/** Whether several tools may be called at once; null when it is not said. */
export function readParallelTools(choice: JsonObject): boolean | null {
  const isDisabled = flagOrNull(choice['disable_parallel_tool_use'])
  return isDisabled === null ? null : !isDisabled
}
