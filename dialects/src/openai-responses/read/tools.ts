import type { JsonObject } from '../../json'
import type { BuiltInTool, Tool, ToolChoice } from '../../neutral/call'
import { flagOrNull, objectOf, objectsOf, textOf } from '../../neutral/read'
import { dialectId } from '../name'
import { freeTextTool } from '../free-text'

/** Beginnings of the types of the vendor's own tools, some of which are dated. */
const builtIn: readonly (readonly [prefix: string, tool: BuiltInTool])[] = [
  ['web_search', 'web-search'],
  ['file_search', 'file-search'],
  ['code_interpreter', 'code-execution'],
  ['image_generation', 'image-generation'],
]

const builtInOf = (type: string): BuiltInTool => builtIn.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'other'

export function readTool(tool: JsonObject): Tool {
  const type = textOf(tool['type'])
  if (type === 'custom') return freeTextTool(tool)
  if (type !== 'function') return { kind: 'built-in', tool: builtInOf(type), own: { dialect: dialectId, value: tool } }
  return {
    kind: 'function',
    name: textOf(tool['name']),
    description: textOf(tool['description']),
    schema: objectOf(tool['parameters']),
    isStrict: flagOrNull(tool['strict']),
  }
}

const hostedNames: Readonly<Partial<Record<BuiltInTool, string>>> = {
  'web-search': 'web_search',
  'code-execution': 'code_execution',
}

/** What other dialects call a tool of this type that the vendor runs itself; empty where they have no name for it. */
export const hostedName = (type: string): string => hostedNames[builtInOf(type)] ?? ''

export function readToolChoice(choice: unknown): ToolChoice | null {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice }
  const chosen = objectOf(choice)
  if (chosen['type'] !== 'allowed_tools') {
    const name = nameOf(chosen)
    return name === '' ? null : { kind: 'tool', name }
  }
  if (chosen['mode'] !== 'required') return { kind: 'auto' }
  const among = objectsOf(chosen['tools'])
    .map(nameOf)
    .filter((name) => name !== '')
  return { kind: 'required', ...(among.length > 0 && { among }) }
}

function nameOf({ type, name }: JsonObject): string {
  if (type === 'function' || type === 'custom') return textOf(name)
  return hostedName(textOf(type))
}
