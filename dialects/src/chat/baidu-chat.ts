import type { Dialect } from '../core/dialect'
import { chatDialect } from '../core/dialect-from-codec'
import { isObject, type JsonObject } from '../core/json'
import type { Message, NeutralCall, Part, Tool, ToolResultPart } from '../core/neutral/call'
import { toolLabel } from '../core/neutral/left-out'
import type { EventReader, UpstreamCodec, Warn } from '../core/neutral/codec'
import type { AnswerEvent, FinishReason } from '../core/neutral/events'
import { PlainAnswer } from '../core/neutral/plain-answer'
import { plainText, warnOfUnsupported } from '../core/neutral/plain-call'
import {
  clamp,
  jsonTextOf,
  numberOrNull,
  objectOf,
  objectsOf,
  omitUndefined,
  parsedObject,
  textOf,
} from '../core/neutral/read'
import { errorIn } from '../core/shared/errors'
import { reportedFailure } from '../core/shared/reported-failure'
import { readUsage } from '../core/shared/usage'

/** Baidu's first chat API; the model stands in the address. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t */
export const baiduChatCodec: UpstreamCodec = { writeCall, readAnswer, createReader }

const maxStops = 4
const minTokens = 2

function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  warnOfUnsupported(call, supportedFeatures, warn)
  const { sampling, isStream, user, output } = call
  if (sampling.stop.length > maxStops) warn(`more than ${maxStops} stop sequences`)
  if (output?.kind === 'schema') warn('the JSON schema')
  if (sampling.presencePenalty !== null) warn('presence_penalty')
  const { functions, ...tools } = writeTools(call, warn)
  return omitUndefined({
    ...omitUndefined(withSystem(writeConversation(call, warn), functions !== undefined)),
    functions,
    ...tools,
    temperature: clamp(sampling.temperature, 0.01, 1),
    top_p: clamp(sampling.topP, 0, 1),
    penalty_score: penaltyOf(sampling.frequencyPenalty),
    max_output_tokens: sampling.maxTokens === null ? undefined : Math.max(sampling.maxTokens, minTokens),
    stop: sampling.stop.length === 0 ? undefined : sampling.stop.slice(0, maxStops),
    response_format: output === null ? undefined : 'json_object',
    user_id: user ?? undefined,
    stream: isStream || undefined,
  })
}

const supportedFeatures = ['maxTokens', 'temperature', 'topP', 'stop', 'penalties', 'tools', 'output', 'user'] as const

/** From 1, which leaves repetition alone, to 2; OpenAI's goes from 0 to 2. */
const penaltyOf = (penalty: number | null): number | undefined =>
  penalty === null ? undefined : 1 + Math.min(Math.max(penalty, 0), 2) / 2

/** With functions the vendor takes no instructions: they go before what the user says first. */
function withSystem({ messages, system }: ReturnType<typeof writeConversation>, hasFunctions: boolean): JsonObject {
  if (system === '') return { messages }
  if (!hasFunctions) return { messages, system }
  const [first, ...rest] = messages
  if (first?.['role'] !== 'user') return { messages: [{ role: 'user', content: system }, ...messages] }
  return { messages: [{ ...first, content: `${system}\n\n${textOf(first['content'])}` }, ...rest] }
}

function writeTools({ tools, toolChoice }: NeutralCall, warn: Warn): JsonObject {
  const isSearching = tools.some((tool) => tool.kind === 'built-in' && tool.tool === 'web-search')
  const search = isSearching ? { disable_search: false, enable_citation: true } : {}
  for (const tool of tools) if (tool.kind === 'built-in' && tool.tool !== 'web-search') warn(toolLabel(tool))
  const functions = tools.filter((tool) => tool.kind === 'function')
  if (functions.length === 0 || toolChoice?.kind === 'none') return search
  if (toolChoice?.kind === 'required') warn('tool_choice')
  return omitUndefined({
    ...search,
    functions: functions.map(writeFunction),
    tool_choice: toolChoice?.kind === 'tool' ? { type: 'function', function: { name: toolChoice.name } } : undefined,
  })
}

/** A function without parameters needs an empty list of them. */
const writeFunction = ({ name, description, schema }: Extract<Tool, { kind: 'function' }>): JsonObject => ({
  name,
  description: description || name,
  parameters: { type: 'object', properties: {}, ...schema },
})

function readAnswer(answer: JsonObject): readonly AnswerEvent[] {
  const answered = new PlainAnswer()
  return readPart({ ...answer, is_end: true }, answered)
}

/** Each event of a stream is an answer with a piece of the text; the last one says so. */
function createReader(): EventReader {
  const answered = new PlainAnswer()
  return {
    read: ({ data }) => {
      const part = answered.isOver ? null : parsedObject(data)
      return part === null ? [] : readPart(part, answered)
    },
    end: () => answered.end(),
  }
}

function readPart(part: JsonObject, answered: PlainAnswer): AnswerEvent[] {
  const error = reportedFailure(part, typeof part['result'] === 'string') ?? errorIn(part)
  if (error !== null) return answered.fail(error)
  const { id, created, function_call: call } = part
  return [
    ...answered.start(textOf(id), '', numberOrNull(created) ?? 0),
    ...answered.append('text', textOf(part['result'])),
    ...objectsOf(objectOf(part['search_info'])['search_results']).flatMap(({ url, title }) =>
      answered.cite(omitUndefined({ url: textOf(url) || undefined, title: textOf(title) || undefined })),
    ),
    ...(isObject(call) ? readCall(call, textOf(id), answered) : []),
    ...answered.leaveOut(part, knownMembers, 'message'),
    ...answered.leaveOut(objectOf(part['search_info']), knownOfSearch, 'search_info'),
    ...(part['is_end'] === true ? answered.finish(endOf(part, isObject(call))) : []),
  ]
}

const knownMembers: ReadonlySet<string> = new Set([
  'id',
  'object',
  'created',
  'sentence_id',
  'is_end',
  'is_truncated',
  'finish_reason',
  'result',
  'function_call',
  'search_info',
  'usage',
  // What the vendor advises after its filters.
  'need_clear_history',
  'ban_round',
  'flag',
])
const knownOfSearch: ReadonlySet<string> = new Set(['is_beset', 'rewrite_query', 'search_results'])

/** An answer calls one function at most, so its own id names the call. */
const readCall = (call: JsonObject, id: string, answered: PlainAnswer): AnswerEvent[] => [
  ...answered.append('thinking', textOf(call['thoughts'])),
  ...answered.call(`call_${id}`, textOf(call['name']), jsonTextOf(call['arguments'])),
]

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['normal', 'stop'],
  ['stop', 'stop-sequence'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
  ['function_call', 'tool-calls'],
])

/** Older models name no reason. */
function endOf(part: JsonObject, hasCall: boolean) {
  const rawReason = textOf(part['finish_reason'])
  const reported = rawReason === '' ? 'stop' : (reasons.get(rawReason) ?? 'other')
  const isCut = part['is_truncated'] === true && reported === 'stop'
  const reason: FinishReason = isCut ? 'length' : hasCall && reported === 'stop' ? 'tool-calls' : reported
  return { reason, rawReason, usage: readUsage(part['usage']) }
}

/** A text, be it empty, or a call. */
const isAnswer = ({ result, function_call }: JsonObject): boolean =>
  typeof result === 'string' || isObject(function_call)

/** `POST /rpc/2.0/ai_custom/v1/wenxinworkshop/chat/{model}`; only upstreams speak it. */
export const baiduChat: Dialect = chatDialect('baidu-chat', baiduChatCodec, isAnswer)

interface Conversation {
  readonly messages: readonly JsonObject[]
  /** The operator's instructions, which have a member of their own. */
  readonly system: string
}

/**
 * User and model take turns, the user first; a tool is called and answered in turns of its own.
 * https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t
 */
function writeConversation({ messages }: Pick<NeutralCall, 'messages'>, warn: Warn): Conversation {
  const results = new Map(messages.flatMap(({ parts }) => parts.filter(isResult).map((part) => [part.callId, part])))
  const called = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'tool-call' ? [part.id] : []))),
  )
  if ([...results.keys()].some((id) => !called.has(id))) warn('the result of a tool that was not called')
  const isInstruction = ({ role }: Message) => role === 'system' || role === 'developer'
  return {
    system: messages
      .filter(isInstruction)
      .map((message) => plainText(message, warn))
      .join('\n\n'),
    messages: mergeTurns(
      messages.filter((message) => !isInstruction(message)).flatMap((message) => turnsOf(message, results, warn)),
    ),
  }
}

const isResult = (part: Part): part is ToolResultPart => part.kind === 'tool-result'

type Results = ReadonlyMap<string, ToolResultPart>

/** The model calls one tool at a time: several calls become several turns, each with its result. */
function turnsOf({ role, parts }: Message, results: Results, warn: Warn): JsonObject[] {
  const content = plainText({ parts: parts.filter((part) => part.kind !== 'tool-call' && !isResult(part)) }, warn)
  if (role === 'user') return content === '' ? [] : [{ role, content }]
  const calls = parts.flatMap((part) => (part.kind === 'tool-call' ? [part] : []))
  if (calls.length === 0) return content === '' ? [] : [{ role: 'assistant', content }]
  return calls.flatMap(({ id, name, argumentsText }, index) => {
    const called = {
      role: 'assistant',
      content: index === 0 ? content : '',
      function_call: { name, arguments: argumentsText || '{}' },
    }
    const result = results.get(id)
    return result === undefined ? [called] : [called, { role: 'function', name, content: resultText(result, warn) }]
  })
}

/** What is empty is refused. */
const resultText = ({ parts, isError }: ToolResultPart, warn: Warn): string =>
  plainText({ parts }, warn) || (isError ? 'The tool failed.' : 'Done.')

/** Texts of one speaker in a row become one, since turns must alternate. */
function mergeTurns(turns: readonly JsonObject[]): JsonObject[] {
  const all: JsonObject[] = []
  for (const turn of turns) {
    const last = all.at(-1)
    if (last && last['role'] === turn['role'] && isText(last) && isText(turn))
      all[all.length - 1] = { ...last, content: `${textOf(last['content'])}\n\n${textOf(turn['content'])}` }
    else all.push(turn)
  }
  return all
}

const isText = (turn: JsonObject): boolean => turn['role'] !== 'function' && !('function_call' in turn)
