import { plainRequest, type GenerationRequest, type ToolChoice } from '../generation-request'
import { isObject, listOr, numberOr, objectOr, textOr, type JsonObject } from '../json'
import { Refusal } from '../simulated-response'

/** What a message asks for. https://platform.claude.com/docs/en/api/messages */
export function readRequest(body: JsonObject): GenerationRequest {
  const messages = listOr(body['messages']).map(objectOr)
  const choice = objectOr(body['tool_choice'])
  const tools = listOr(body['tools']).map(objectOr)
  return {
    ...plainRequest,
    prompt: promptIn(body['system'], messages),
    tools: tools.filter(isFunction).map((tool) => ({ name: textOr(tool['name'], ''), schema: tool['input_schema'] })),
    toolChoice: toolChoiceIn(choice),
    isParallel: choice['disable_parallel_tool_use'] !== true,
    hasToolResults: messages.some(({ content }) => listOr(content).some((block) => isOf(block, 'tool_result'))),
    schema: schemaIn(body),
    limit: numberOr(body['max_tokens'], 0),
    stop: listOr(body['stop_sequences']).filter((one) => typeof one === 'string'),
    isThinking: ['enabled', 'adaptive'].includes(textOr(objectOr(body['thinking'])['type'], '')),
    isSearching: tools.some((tool) => textOr(tool['type'], '').startsWith('web_search')),
  }
}

/** @throws Refusal when the vendor would not take it. */
export function check(body: JsonObject): void {
  if (!Number.isInteger(body['max_tokens'])) throw new Refusal(400, 'max_tokens: Field required')
  if (!Array.isArray(body['messages'])) throw new Refusal(400, 'messages: Field required')
  if (body['messages'].length === 0) throw new Refusal(400, 'messages: at least one message is required')
  const thinking = objectOr(body['thinking'])
  if (thinking['type'] !== 'enabled') return
  const budget = numberOr(thinking['budget_tokens'], 0)
  if (budget < 1024) throw new Refusal(400, 'thinking.enabled.budget_tokens: Input should be at least 1024')
  if (budget >= numberOr(body['max_tokens'], 0)) {
    throw new Refusal(400, '`max_tokens` must be greater than `thinking.budget_tokens`')
  }
}

/** Thoughts come as a signature alone. */
export const isThinkingOmitted = (body: JsonObject): boolean => objectOr(body['thinking'])['display'] === 'omitted'

const isOf = (block: unknown, type: string): boolean => isObject(block) && block['type'] === type

const isFunction = (tool: JsonObject): boolean => tool['type'] === undefined || tool['type'] === 'custom'

/** Each tool result counts as a message of its own, as it is in other dialects. */
function promptIn(system: unknown, messages: readonly JsonObject[]): unknown[] {
  const contents = messages.flatMap(({ content }) => {
    if (!Array.isArray(content)) return [content]
    const results = content.filter((block) => isOf(block, 'tool_result')).map((block) => objectOr(block)['content'])
    const rest = content.filter((block) => !unread.some((type) => isOf(block, type)))
    return rest.length > 0 || results.length === 0 ? [...results, rest] : results
  })
  return system === undefined ? contents : [system, ...contents]
}

const unread = ['tool_result', 'tool_use', 'thinking', 'redacted_thinking', 'server_tool_use', 'web_search_tool_result']

function toolChoiceIn(choice: JsonObject): ToolChoice {
  if (choice['type'] === 'none') return 'none'
  return choice['type'] === 'tool' ? { name: textOr(choice['name'], '') } : 'free'
}

function schemaIn(body: JsonObject): unknown {
  const format = objectOr(objectOr(body['output_config'])['format'] ?? body['output_format'])
  return format['type'] === 'json_schema' ? format['schema'] : undefined
}
