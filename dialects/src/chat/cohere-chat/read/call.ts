import type { PathContext } from '../../../core/views'
import { isObject, type JsonObject } from '../../../core/json'
import type { NeutralCall } from '../../../core/neutral/call'
import { openAiChatCodec } from '../../openai-chat/codec'
import { readCohereRequest } from '../request'
import { objectOf, objectsOf, omitUndefined, textOf } from '../../../core/neutral/read'

/** A client's chat request. @throws DialectError */
export function readCall(body: JsonObject, pathContext: PathContext): NeutralCall {
  const { model, isStream } = readCohereRequest(body, pathContext)
  return {
    ...openAiChatCodec.readCall({ ...asChatBody(body), model }, pathContext),
    isStream,
    own: { dialect: 'cohere-chat', members: ownMembers(body) },
  }
}

const same = ['max_tokens', 'temperature', 'seed', 'presence_penalty', 'frequency_penalty'] as const

/** A chat request of a Cohere client in OpenAI's words. https://docs.cohere.com/reference/chat */
export function asChatBody(body: JsonObject): JsonObject {
  const isStrict = body['strict_tools'] === true || undefined
  return omitUndefined({
    model: body['model'],
    messages: objectsOf(body['messages']).map(asChatMessage),
    tools: Array.isArray(body['tools'])
      ? objectsOf(body['tools']).map((tool) => asChatTool(tool, isStrict))
      : undefined,
    tool_choice: choices[textOf(body['tool_choice'])],
    response_format: asResponseFormat(objectOf(body['response_format'])),
    reasoning: asReasoning(objectOf(body['thinking'])),
    ...Object.fromEntries(same.map((name) => [name, body[name] ?? undefined])),
    stop: body['stop_sequences'] ?? undefined,
    top_k: body['k'] ?? undefined,
    top_p: body['p'] ?? undefined,
  })
}

const knownMembers: ReadonlySet<string> = new Set([
  ...same,
  'model',
  'messages',
  'tools',
  'strict_tools',
  'tool_choice',
  'response_format',
  'thinking',
  'stop_sequences',
  'k',
  'p',
  'stream',
])

/** What only Cohere has a word for. Log probabilities go by its own numbers of tokens. */
const ownMembers = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !knownMembers.has(name) && value !== null && value !== false),
  )

const choices: Readonly<Record<string, string>> = { REQUIRED: 'required', NONE: 'none' }

/** What is said before tools are called is their plan. */
function asChatMessage(message: JsonObject): JsonObject {
  const { role, content } = message
  if (role === 'tool') return { role, tool_call_id: message['tool_call_id'], content: resultOf(content) }
  if (role !== 'assistant') return { role, content }
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
  const plan = textOf(message['tool_plan'])
  const thoughts = parts.map((part) => (part['type'] === 'thinking' ? textOf(part['thinking']) : '')).join('')
  return omitUndefined({
    role,
    content: [
      ...(plan === '' ? [] : [{ type: 'text', text: plan }]),
      ...parts.filter(({ type }) => type !== 'thinking'),
    ],
    reasoning_content: thoughts || undefined,
    tool_calls: message['tool_calls'] ?? undefined,
  })
}

/** The documents that a tool gave back are shown as the text of their data. */
function resultOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  return objectsOf(content).map((part) => {
    if (part['type'] !== 'document') return part
    const { data } = objectOf(part['document'])
    return { type: 'text', text: isObject(data) ? JSON.stringify(data) : textOf(data) }
  })
}

function asChatTool(tool: JsonObject, strict: true | undefined): JsonObject {
  if (!('function' in tool)) return tool
  const { name, description, parameters } = objectOf(tool['function'])
  return { type: 'function', function: { name, description, parameters, strict } }
}

/** The schema had another name before. */
function asResponseFormat({ type, json_schema, schema = json_schema }: JsonObject): JsonObject | undefined {
  if (type !== 'json_object') return undefined
  return isObject(schema) ? { type: 'json_schema', json_schema: { name: 'answer', schema } } : { type }
}

const asReasoning = ({ type, token_budget }: JsonObject): JsonObject | undefined =>
  type === undefined ? undefined : { enabled: type !== 'disabled', max_tokens: token_budget }
