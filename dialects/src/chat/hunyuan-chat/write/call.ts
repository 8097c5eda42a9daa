import type { JsonObject } from '../../../core/json'
import type { NeutralCall } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { toolLabel } from '../../../core/neutral/left-out'
import { warnOfBudget, warnOfUnsupported } from '../../../core/neutral/plain-call'
import { effortOf } from '../../../core/neutral/thinking'
import { objectOf, objectsOf, written } from '../../../core/neutral/read'
import { openAiChatCodec } from '../../openai-chat/codec'
import { withPascalNames } from '../names'

/** A chat request. https://cloud.tencent.com/document/api/1729/105701 */
export function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  const tools = call.tools.filter((tool) => tool.kind === 'function')
  for (const tool of call.tools) if (tool.kind === 'built-in') warn(toolLabel(tool))
  const body = openAiChatCodec.writeCall({ ...call, tools, thinking: null, user: null, serviceTier: null }, warn)
  warnOfUnsupported(call, said, warn)
  warnOfBudget(call, warn)
  const { stop } = call.sampling
  return written({
    Model: call.model,
    Messages: objectsOf(body['messages']).map(writeMessage),
    ...writeTools(call, body, warn),
    Temperature: body['temperature'],
    TopP: body['top_p'],
    Seed: body['seed'],
    Stop: stop.length > 0 ? stop : undefined,
    EnableThinking: call.thinking === null ? undefined : effortOf(call.thinking) !== 'none',
    Stream: call.isStream,
  })
}

/** The API has no limit of an answer. */
const said = ['temperature', 'topP', 'topK', 'stop', 'seed', 'tools', 'thinking', 'metadata'] as const

/** Parts have a member of their own beside the text. */
function writeMessage({ content, ...rest }: JsonObject): JsonObject {
  const said = Array.isArray(content) ? { Contents: withPascalNames(content) } : { Content: content ?? '' }
  return { ...objectOf(withPascalNames(rest)), ...said }
}

/** A tool that must be called stands beside the choice; a schema is a text. */
function writeTools({ toolChoice }: NeutralCall, body: JsonObject, warn: Warn): JsonObject {
  const tools = objectsOf(body['tools']).map((tool) => {
    const { name, description, parameters } = objectOf(tool['function'])
    return {
      Type: 'function',
      Function: written({ Name: name, Description: description, Parameters: JSON.stringify(parameters ?? {}) }),
    }
  })
  if (tools.length === 0) return {}
  if (toolChoice?.kind === 'required') warn('a tool that must be called, whichever')
  const chosen = toolChoice?.kind === 'tool' && tools.find(({ Function: { Name } }) => Name === toolChoice.name)
  if (chosen) return { Tools: tools, ToolChoice: 'custom', CustomTool: chosen }
  return written({ Tools: tools, ToolChoice: toolChoice?.kind === 'none' ? 'none' : undefined })
}
