import type { JsonObject } from '../../../core/json'
import type { FunctionTool, NeutralCall } from '../../../core/neutral/call'
import { toolLabel } from '../../../core/neutral/left-out'
import type { Warn } from '../../../core/neutral/codec'
import { written } from '../../../core/neutral/read'

/** The tools and how they may be used. A choice among them is said by showing no others. */
export function writeTools({ tools, toolChoice, parallelTools }: NeutralCall, warn: Warn): JsonObject {
  for (const tool of tools) if (tool.kind === 'built-in') warn(toolLabel(tool))
  const known = tools.filter((tool) => tool.kind === 'function')
  const among = toolChoice?.kind === 'tool' ? [toolChoice.name] : toolChoice?.kind === 'required' && toolChoice.among
  const shown = among && among.length > 0 ? known.filter(({ name }) => among.includes(name)) : known
  if (shown.length === 0) return {}
  if (parallelTools === false) warn('one tool at a time')
  return written({
    tools: shown.map(writeFunction),
    strict_tools: writeStrict(shown, warn),
    tool_choice: choices[toolChoice?.kind ?? 'auto'],
  })
}

const choices = { auto: undefined, none: 'NONE', required: 'REQUIRED', tool: 'REQUIRED' } as const

const writeFunction = ({ name, description, schema }: FunctionTool): JsonObject => ({
  type: 'function',
  function: written({
    name,
    description: description || undefined,
    parameters: { ...schema, type: 'object' },
  }),
})

/** All tools are strict or none. */
function writeStrict(tools: readonly FunctionTool[], warn: Warn): true | undefined {
  const strict = tools.filter(({ isStrict }) => isStrict === true).length
  if (strict > 0 && strict < tools.length) warn('some tools strict')
  return strict === tools.length || undefined
}
