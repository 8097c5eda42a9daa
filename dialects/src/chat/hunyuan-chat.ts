import type { Dialect } from '../core/dialect'
import { chatDialect } from '../core/dialect-from-codec'
import { hasObjects, reportedFailure } from '../core/shared/reported-failure'
import type { UpstreamCodec, Warn } from '../core/neutral/codec'
import { type MappedEvent, readAsChunks } from './openai-chat/chunk-form'
import { isObject, type JsonObject } from '../core/json'
import { objectOf, objectsOf, omitUndefined, parsedObject, textOf } from '../core/neutral/read'
import type { NeutralCall } from '../core/neutral/call'
import { toolLabel, unknownMembers, warnOfMembers } from '../core/neutral/left-out'
import { warnOfBudget, warnOfUnsupported } from '../core/neutral/plain-call'
import { effortOf } from '../core/neutral/thinking'
import { openAiChatCodec } from './openai-chat/codec'
import type { ErrorView } from '../core/views'
import { codeName, errorIn as errorOfOthers, readUpstreamError } from '../core/shared/errors'

/** Tencent Cloud's own chat API. https://cloud.tencent.com/document/api/1729/105701 */
export const hunyuanChatCodec: UpstreamCodec = { writeCall, ...readAsChunks(() => mapAnswer) }

/** The action `ChatCompletions` of 2023-09-01; only upstreams speak it. */
export const hunyuanChat: Dialect = {
  ...chatDialect('hunyuan-chat', hunyuanChatCodec, (answer) => hasObjects(responseIn(answer)['Choices'])),
  readError,
}

/** An answer or an event in OpenAI's words. */
function mapAnswer(answer: JsonObject): MappedEvent {
  const error = errorIn(answer) ?? reportedFailure(answer, 'Choices' in responseIn(answer))
  if (error !== null) return { error }
  const chunk = objectOf(withSnakeNames(responseIn(answer)))
  const choices = objectsOf(chunk['choices']).map(withKnownReason)
  const leftOut = [
    ...unknownMembers(chunk, knownOfResponse, 'response'),
    ...unknownMembers(objectOf(chunk['search_info']), knownOfSearch, 'search_info'),
  ]
  return { chunk: { ...chunk, choices }, leftOut }
}

const knownOfSearch: ReadonlySet<string> = new Set(['search_results', 'support_deep_search'])

/** `note` says of every answer that a machine made it. https://cloud.tencent.com/document/api/1729/105701 */
const knownOfResponse: ReadonlySet<string> = new Set([
  'id',
  'created',
  'choices',
  'usage',
  'note',
  'request_id',
  'moderation_level',
  'search_info',
  'error_msg',
  'error',
])

/** What is kept back for its content ends with a word of the vendor's own. How risky it is says nothing of the answer. */
const withKnownReason = ({ moderation_level: _level, ...choice }: JsonObject): JsonObject =>
  choice['finish_reason'] === 'sensitive' ? { ...choice, finish_reason: 'content_filter' } : choice

/** A chat request. https://cloud.tencent.com/document/api/1729/105701 */
function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  const tools = call.tools.filter((tool) => tool.kind === 'function')
  for (const tool of call.tools) if (tool.kind === 'built-in') warn(toolLabel(tool))
  const body = openAiChatCodec.writeCall({ ...call, tools, thinking: null, user: null, serviceTier: null }, warn)
  warnOfUnsupported(call, supportedFeatures, warn)
  warnOfBudget(call, warn)
  const { stop } = call.sampling
  return omitUndefined({
    Model: call.model,
    Messages: objectsOf(body['messages']).map((message) => writeMessage(message, warn)),
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
const supportedFeatures = ['temperature', 'topP', 'topK', 'stop', 'seed', 'tools', 'thinking', 'metadata'] as const

/** Parts have a member of their own. */
function writeMessage(message: JsonObject, warn: Warn): JsonObject {
  warnOfMembers(message, knownMembers, 'messages', warn)
  const { content, ...others } = message
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => knownMembers.has(name) && name !== 'name'))
  const contentMember = Array.isArray(content) ? { Contents: withPascalNames(content) } : { Content: content ?? '' }
  return { ...objectOf(withPascalNames(rest)), ...contentMember }
}

/** https://cloud.tencent.com/document/api/1729/101838#Message; of the name, the translation warns. */
const knownMembers: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'reasoning_content',
  'tool_calls',
  'tool_call_id',
])

/** A tool that must be called stands next to the choice; a schema is a text. */
function writeTools({ toolChoice }: NeutralCall, body: JsonObject, warn: Warn): JsonObject {
  const tools = objectsOf(body['tools']).map((tool) => {
    const { name, description, parameters } = objectOf(tool['function'])
    return {
      Type: 'function',
      Function: omitUndefined({ Name: name, Description: description, Parameters: JSON.stringify(parameters ?? {}) }),
    }
  })
  if (tools.length === 0) return {}
  if (toolChoice?.kind === 'required') warn('a tool that must be called, whichever')
  const chosen = toolChoice?.kind === 'tool' && tools.find(({ Function: { Name } }) => Name === toolChoice.name)
  if (chosen) return { Tools: tools, ToolChoice: 'custom', CustomTool: chosen }
  return omitUndefined({ Tools: tools, ToolChoice: toolChoice?.kind === 'none' ? 'none' : undefined })
}

/** The error that a response or an event reports, all of which come with status 200; null when it tells none. */
export function errorIn(answer: JsonObject): ErrorView | null {
  const { Error: error, ErrorMsg: inStream } = responseIn(answer)
  if (error === undefined && inStream === undefined) return errorOfOthers(answer)
  const { Code, Message, Msg } = objectOf(error ?? inStream)
  const code = codeName(Code)
  const message = textOf(Message) || textOf(Msg)
  if ((code === '' || code === '0') && message === '') return null
  return { message: message || code, type: '', code, param: null }
}

/** The body of an error of the gateway before the API has another form. */
export function readError(status: number, body: string): ErrorView {
  return errorIn(parsedObject(body) ?? {}) ?? readUpstreamError(status, body)
}

/** A whole answer stands in a member; an event of a stream does not. */
export const responseIn = (answer: JsonObject): JsonObject =>
  isObject(answer['Response']) ? objectOf(answer['Response']) : answer

/** The same value with its members named as OpenAI names them: `FinishReason` is `finish_reason`. */
export const withSnakeNames = (value: unknown): unknown =>
  renameMembers(value, (name) => name.replaceAll(/(?<!^)(?=[A-Z])/g, '_').toLowerCase())

/** The same value with its members named as Tencent Cloud names them: `top_p` is `TopP`. */
const withPascalNames = (value: unknown): unknown =>
  renameMembers(value, (name) => name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()))

/** The names within are the tool's. */
const isArguments = (name: string): boolean => name === 'Arguments' || name === 'arguments'

function renameMembers(value: unknown, change: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameMembers(item, change))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      change(name),
      isArguments(name) ? member : renameMembers(member, change),
    ]),
  )
}
