import {
  anyObject,
  plainRequest,
  type GenerationRequest,
  type RequestedTool,
  type ToolChoice,
} from '../generation-request'
import { isObject, listOr, numberOr, objectOr, textOr, type JsonObject } from '../json'
import { Refusal } from '../simulated-response'

/** What a response asks for. https://platform.openai.com/docs/api-reference/responses/create */
export function readRequest(body: JsonObject): GenerationRequest {
  const items = itemsIn(body)
  const tools = listOr(body['tools']).map(objectOr)
  const limit = numberOr(body['max_output_tokens'], 0)
  const { reasoning } = body
  return {
    ...plainRequest,
    prompt: promptIn(body, items),
    tools: tools.flatMap((tool) => toolsIn(tool)),
    toolChoice: toolChoiceIn(body['tool_choice']),
    isParallel: body['parallel_tool_calls'] !== false,
    hasToolResults: items.some((item) => /^(custom_tool|function)_call_output$/.test(textOr(item['type'], ''))),
    schema: schemaIn(body),
    limit: limit > 0 ? limit : null,
    isThinking: isObject(reasoning) && reasoning['effort'] !== 'none',
    isSearching: tools.some((tool) => textOr(tool['type'], '').startsWith('web_search')),
  }
}

/** @throws Refusal when the vendor would not take it. */
export function check(body: JsonObject): void {
  if (typeof body['input'] === 'string' || Array.isArray(body['input'])) return
  throw new Refusal(400, "Missing required parameter: 'input'.", 'invalid_request_error', 'missing_required_parameter')
}

/** Whether thoughts may be read, as a summary of them. */
export const requestsSummary = (body: JsonObject): boolean => typeof objectOr(body['reasoning'])['summary'] === 'string'

/** Whether thoughts come in cipher too, to be handed back. */
export const requestsEncryptedReasoning = (body: JsonObject): boolean =>
  listOr(body['include']).includes('reasoning.encrypted_content')

/** The functions of a tool: itself, or those of its namespace. */
function toolsIn(tool: JsonObject, namespace?: string): RequestedTool[] {
  const name = textOr(tool['name'], '')
  if (tool['type'] === 'function') return [{ name, schema: tool['parameters'], namespace }]
  if (tool['type'] === 'custom') return [{ name, schema: undefined, namespace, takesText: true }]
  if (tool['type'] !== 'namespace') return []
  return listOr(tool['tools']).flatMap((nested) => toolsIn(objectOr(nested), name))
}

const itemsIn = ({ input }: JsonObject): JsonObject[] =>
  Array.isArray(input) ? input.map(objectOr) : [{ role: 'user', content: input }]

function promptIn(body: JsonObject, items: readonly JsonObject[]): unknown[] {
  const contents = items.flatMap((item) => {
    if (item['type'] === 'function_call_output') return [contentOf(item['output'])]
    return item['role'] === undefined ? [] : [contentOf(item['content'])]
  })
  return typeof body['instructions'] === 'string' ? [body['instructions'], ...contents] : contents
}

/** The content of a message as the measure of prompts knows it. */
function contentOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  return content.map((part) => (isObject(part) && 'text' in part ? { type: 'text', text: part['text'] } : part))
}

function toolChoiceIn(choice: unknown): ToolChoice {
  if (choice === 'none') return 'none'
  const { type, name } = objectOr(choice)
  return type === 'function' && typeof name === 'string' ? { name } : 'free'
}

function schemaIn(body: JsonObject): unknown {
  const format = objectOr(objectOr(body['text'])['format'])
  if (format['type'] === 'json_object') return anyObject
  return format['type'] === 'json_schema' ? format['schema'] : undefined
}
