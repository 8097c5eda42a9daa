import type { JsonObject } from '../../../core/json'
import type { NeutralCall } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { warnOfUnsupported } from '../../../core/neutral/plain-call'
import { objectOf, objectsOf, textOf, written } from '../../../core/neutral/read'
import { openAiChatCodec } from '../../openai-chat/codec'

/** The longest `uid`. */
const longestUser = 32
const mostTopK = 6
const leastTemperature = 0.01

/** The first message of a chat. The domain stands for the model; the application's id is the key's. https://www.xfyun.cn/doc/spark/Web.html */
export function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  const body = openAiChatCodec.writeCall(
    { ...call, serviceTier: null, sampling: { ...call.sampling, topK: null } },
    warn,
  )
  warnOfRest(call, warn)
  const functions = call.toolChoice?.kind === 'none' ? [] : objectsOf(body['tools']).map(({ function: tool }) => tool)
  return {
    header: written({ uid: call.user?.slice(0, longestUser) }),
    parameter: { chat: written({ domain: call.model, ...writeSampling(call) }) },
    payload: written({
      message: { text: objectsOf(body['messages']).map((message) => writeMessage(message, warn)) },
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
    temperature:
      temperature === null ? undefined : Math.min(Math.max(temperature, leastTemperature), isThinker ? 2 : 1),
    top_k: topK === null ? undefined : Math.min(Math.max(topK, 1), mostTopK),
    max_tokens: maxTokens ?? undefined,
    ...(isThinker && {
      top_p: topP ?? undefined,
      presence_penalty: presencePenalty ?? undefined,
      frequency_penalty: frequencyPenalty ?? undefined,
    }),
  }
}

const said = ['maxTokens', 'temperature', 'topK', 'tools', 'user'] as const
const saidToThinkers = [...said, 'topP', 'penalties', 'thinking'] as const

function warnOfRest(call: NeutralCall, warn: Warn): void {
  const { model, toolChoice, tools } = call
  warnOfUnsupported(call, takesPenalties(model) ? saidToThinkers : said, warn)
  if (toolChoice?.kind === 'required' || toolChoice?.kind === 'tool') warn('a tool that must be called')
  if (tools.some(({ kind }) => kind === 'built-in')) warn('built-in tools')
}

/** Two speakers with texts. What was called stands as the assistant's words, what a tool answered as the user's. */
function writeMessage({ role, content, tool_calls: calls, reasoning_content }: JsonObject, warn: Warn): JsonObject {
  if (reasoning_content !== undefined) warn('earlier thinking')
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
