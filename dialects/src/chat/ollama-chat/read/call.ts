import type { PathContext } from '../../../core/views'
import type { JsonObject } from '../../../core/json'
import type { NeutralCall } from '../../../core/neutral/call'
import { openAiChatCodec } from '../../openai-chat/codec'
import { readLimit, readOllamaRequest } from '../request'
import { objectOf, objectsOf, omitUndefined, textOf, textsOf } from '../../../core/neutral/read'

/** A client's chat request. @throws DialectError */
export function readCall(body: JsonObject, pathContext: PathContext): NeutralCall {
  const { model, isStream } = readOllamaRequest(body, pathContext)
  return {
    ...openAiChatCodec.readCall({ ...asChatBody(body), model }, pathContext),
    isStream,
    own: { dialect: 'ollama-chat', members: ownMembers(body) },
  }
}

/** Options with a word of their own in every dialect; the rest is of Ollama's servers. */
const sampling = ['temperature', 'top_p', 'top_k', 'seed', 'presence_penalty', 'frequency_penalty', 'stop'] as const
const knownOptions: ReadonlySet<string> = new Set([...sampling, 'num_predict'])

/** A chat request of an Ollama client in OpenAI's words. https://docs.ollama.com/api/chat */
export function asChatBody(body: JsonObject): JsonObject {
  const options = objectOf(body['options'])
  return omitUndefined({
    model: body['model'],
    messages: objectsOf(body['messages']).map(asChatMessage),
    tools: Array.isArray(body['tools']) ? objectsOf(body['tools']).map(asChatTool) : undefined,
    response_format: asResponseFormat(body['format']),
    ...asReasoning(body['think']),
    max_tokens: readLimit(body) ?? undefined,
    ...Object.fromEntries(sampling.map((name) => [name, options[name] ?? undefined])),
    logprobs: body['logprobs'] ?? undefined,
    top_logprobs: body['top_logprobs'] ?? undefined,
  })
}

const knownMembers: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'tools',
  'format',
  'think',
  'options',
  'logprobs',
  'top_logprobs',
  'stream',
])

/** What only Ollama's servers have a word for, options among the other members. */
const ownMembers = (body: JsonObject): JsonObject => ({
  ...without(body, knownMembers),
  ...without(objectOf(body['options']), knownOptions),
})

const without = (object: JsonObject, names: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => !names.has(name) && value != null))

function asChatMessage(message: JsonObject): JsonObject {
  const images = textsOf(message['images'])
  const text = textOf(message['content'])
  const parts = images.map((image) => ({ type: 'image_url', image_url: { url: imageAddress(image) } }))
  return omitUndefined({
    role: message['role'],
    content: parts.length === 0 ? text : [...(text === '' ? [] : [{ type: 'text', text }]), ...parts],
    reasoning_content: textOf(message['thinking']) || undefined,
    tool_calls: objectsOf(message['tool_calls']).map(asChatCall),
    tool_call_id: message['tool_call_id'] ?? undefined,
    name: textOf(message['tool_name']) || undefined,
  })
}

const beginnings = [
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
] as const

/** Plain base64, whose first bytes tell what it is. */
function imageAddress(image: string): string {
  if (image.startsWith('data:')) return image
  const mime = beginnings.find(([beginning]) => image.startsWith(beginning))?.[1] ?? 'image/png'
  return `data:${mime};base64,${image}`
}

function asChatCall(call: JsonObject): JsonObject {
  const { name, arguments: args } = objectOf(call['function'])
  return { id: call['id'], type: 'function', function: { name, arguments: args } }
}

/** Anything but a function is named by its type. */
function asChatTool(tool: JsonObject): JsonObject {
  if (!('function' in tool)) return tool
  const { name, description, parameters } = objectOf(tool['function'])
  return { type: 'function', function: { name, description, parameters } }
}

/** `json` or a schema; older clients say with an empty text that they want neither. */
function asResponseFormat(format: unknown): JsonObject | undefined {
  if (format === 'json') return { type: 'json_object' }
  const schema = objectOf(format)
  return Object.keys(schema).length > 0 ? { type: 'json_schema', json_schema: { name: 'answer', schema } } : undefined
}

/** https://docs.ollama.com/capabilities/thinking */
const asReasoning = (think: unknown): JsonObject =>
  typeof think === 'boolean' ? { reasoning: { enabled: think } } : { reasoning_effort: think ?? undefined }
