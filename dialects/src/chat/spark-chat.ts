import { unknownMembers, warnOfMembers } from '../core/neutral/left-out'
import type { Dialect } from '../core/dialect'
import { chatDialect } from '../core/dialect-from-codec'
import { isObject, type JsonObject } from '../core/json'
import type { UpstreamCodec, Warn } from '../core/neutral/codec'
import { readAsChunks, type MappedEvent } from './openai-chat/chunk-form'
import { objectOf, objectsOf, textOf, omitUndefined } from '../core/neutral/read'
import { errorIn } from '../core/shared/errors'
import { reportedFailure } from '../core/shared/reported-failure'
import type { NeutralCall } from '../core/neutral/call'
import { warnOfUnsupported } from '../core/neutral/plain-call'
import { openAiChatCodec } from './openai-chat/codec'
import { spokenMembers } from './openai-chat/write/messages'

/** iFlytek's Spark over a WebSocket; functions are those of older accounts. https://www.xfyun.cn/doc/spark/Web.html */
export const sparkChatCodec: UpstreamCodec = { writeCall, ...readAsChunks(() => mapFrame) }

/** The messages of `wss://spark-api.xf-yun.com/v3.5/chat` as events, or all as one; only upstreams speak it. */
export const sparkChat: Dialect = chatDialect('spark-chat', sparkChatCodec, ({ payload }) => isObject(payload))

/** The status of the last message. */
const lastStatus = 2

/** A message of the vendor, or a whole answer that holds the pieces of all, in OpenAI's words. */
function mapFrame(frame: JsonObject): MappedEvent {
  const error = errorIn(frame) ?? reportedFailure(frame, 'payload' in frame)
  if (error !== null) return { error }
  const header = objectOf(frame['header'])
  const payload = objectOf(frame['payload'])
  const choices = objectOf(payload['choices'])
  const pieces = objectsOf(choices['text'])
  const isLast = header['status'] === lastStatus || choices['status'] === lastStatus
  const joinMember = (name: string) => pieces.map((piece) => textOf(piece[name])).join('')
  const chunk = omitUndefined({
    id: textOf(header['sid']),
    choices: [
      {
        index: 0,
        delta: {
          content: joinMember('content'),
          reasoning_content: joinMember('reasoning_content'),
          function_call: pieces.map((piece) => objectOf(piece['function_call'])).find(({ name }) => name !== undefined),
        },
        finish_reason: isLast ? 'stop' : null,
      },
    ],
    usage: readCounts(objectOf(objectOf(payload['usage'])['text'])),
  })
  const leftOut = [
    ...pieces.flatMap((piece) => unknownMembers(piece, knownOfText, 'text')),
    ...unknownMembers(choices, knownOfChoices, 'choices'),
    ...unknownMembers(payload, knownOfPayload, 'payload'),
  ]
  return { chunk, leftOut }
}

const knownOfText: ReadonlySet<string> = new Set([
  'role',
  'index',
  'content',
  'content_type',
  'content_meta',
  'reasoning_content',
  'function_call',
])
const knownOfChoices: ReadonlySet<string> = new Set(['status', 'seq', 'text', 'security_suggest'])
const knownOfPayload: ReadonlySet<string> = new Set(['choices', 'usage'])

/** `question_tokens`, the length of the last question alone, is part of the prompt. */
const readCounts = ({ prompt_tokens, completion_tokens, total_tokens }: JsonObject): JsonObject | undefined =>
  prompt_tokens === undefined ? undefined : { prompt_tokens, completion_tokens, total_tokens }

/** The longest `uid`. */
const maxUserLength = 32
const maxTopK = 6
const minTemperature = 0.01

/** The first message of a chat. The domain stands for the model; the application's id is the key's. https://www.xfyun.cn/doc/spark/Web.html */
function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  const body = openAiChatCodec.writeCall(
    { ...call, serviceTier: null, sampling: { ...call.sampling, topK: null } },
    warn,
  )
  warnOfRest(call, warn)
  const functions = call.toolChoice?.kind === 'none' ? [] : objectsOf(body['tools']).map(({ function: tool }) => tool)
  return {
    header: omitUndefined({ uid: call.user?.slice(0, maxUserLength) }),
    parameter: { chat: omitUndefined({ domain: call.model, ...writeSampling(call) }) },
    payload: omitUndefined({
      // What was said in pictures alone is empty, and refused.
      message: {
        text: objectsOf(body['messages'])
          .map((message) => writeMessage(message, warn))
          .filter(({ content }) => content !== ''),
      },
      functions: functions.length > 0 ? { text: functions } : undefined,
    }),
  }
}

/** The deep-thinking models take more of everything. https://www.xfyun.cn/doc/spark/X1ws.html */
const takesPenalties = (model: string): boolean => /(?:^|-)x(?:\d|$)/i.test(model)

function writeSampling({ model, sampling }: NeutralCall): JsonObject {
  const { temperature, topK, maxTokens, presencePenalty, frequencyPenalty, topP } = sampling
  const isThinker = takesPenalties(model)
  return {
    temperature: temperature === null ? undefined : Math.min(Math.max(temperature, minTemperature), isThinker ? 2 : 1),
    top_k: topK === null ? undefined : Math.min(Math.max(topK, 1), maxTopK),
    max_tokens: maxTokens ?? undefined,
    ...(isThinker && {
      top_p: topP ?? undefined,
      presence_penalty: presencePenalty ?? undefined,
      frequency_penalty: frequencyPenalty ?? undefined,
    }),
  }
}

const supportedFeatures = ['maxTokens', 'temperature', 'topK', 'tools', 'user'] as const
const thinkerFeatures = [...supportedFeatures, 'topP', 'penalties', 'thinking'] as const

function warnOfRest(call: NeutralCall, warn: Warn): void {
  const { model, toolChoice, tools } = call
  warnOfUnsupported(call, takesPenalties(model) ? thinkerFeatures : supportedFeatures, warn)
  if (toolChoice?.kind === 'required' || toolChoice?.kind === 'tool') warn('a tool that must be called')
  if (tools.some(({ kind }) => kind === 'built-in')) warn('built-in tools')
}

/** Two speakers with texts. What was called stands as the assistant's words, what a tool answered as the user's. */
function writeMessage(message: JsonObject, warn: Warn) {
  const { role, content, tool_calls: calls, reasoning_content, reasoning_details } = message
  if (reasoning_content !== undefined || reasoning_details !== undefined) warn('earlier thinking')
  warnOfMembers(message, spokenMembers, 'messages', warn)
  const called = objectsOf(calls).map(({ function: call }) => {
    const { name, arguments: text } = objectOf(call)
    return `${textOf(name)}(${textOf(text)})`
  })
  const text = [textIn(content, warn), ...called].filter((line) => line !== '').join('\n')
  return { role: role === 'tool' ? 'user' : role, content: text }
}

function textIn(content: unknown, warn: Warn): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map(({ type, text }) => {
      if (type !== 'text') warn('pictures, sounds and files')
      return textOf(text)
    })
    .join('')
}
