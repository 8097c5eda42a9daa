import type { JsonObject } from '../json'
import type { FunctionTool, Tool } from '../neutral/call'
import { objectOf, nestedObject, textOf } from '../neutral/read'

/** The one argument of a tool that takes free text, for models whose tools take nothing but JSON. */
const freeTextSchema: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string', description: 'Everything the tool shall read, as it is.' } },
  required: ['input'],
  additionalProperties: false,
}

/** A tool that takes free text, as a function. https://platform.openai.com/docs/guides/function-calling#custom-tools */
export function freeTextTool(tool: JsonObject): FunctionTool {
  const { syntax, definition } = objectOf(tool['format'])
  const grammar =
    typeof definition === 'string' ? `The input must match this ${textOf(syntax)} grammar:\n${definition}` : ''
  return {
    kind: 'function',
    name: textOf(tool['name']),
    description: [textOf(tool['description']), grammar].filter((text) => text !== '').join('\n\n'),
    schema: freeTextSchema,
    isStrict: null,
  }
}

/** Made here from one that takes free text: its calls go back as such. */
export const takesFreeText = (tool: Tool): tool is FunctionTool =>
  tool.kind === 'function' && tool.schema === freeTextSchema

/** The names of the tools that take free text. */
export const freeTextNames = (tools: readonly Tool[]): ReadonlySet<string> =>
  new Set(tools.filter(takesFreeText).map(({ name }) => name))

export const freeTextArguments = (input: string): string => JSON.stringify({ input })

/** The text in a call's arguments; arguments that do not have it are all text. */
export function freeTextOf(argumentsText: string): string {
  const input = nestedObject(argumentsText)?.['input']
  return typeof input === 'string' ? input : argumentsText
}
