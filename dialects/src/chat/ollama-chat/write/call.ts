import type { JsonObject } from '../../../core/json'
import type { NeutralCall, OutputFormat, Thinking } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { toolLabel } from '../../../core/neutral/left-out'
import { warnOfBudget, warnOfUnsupported } from '../../../core/neutral/plain-call'
import { objectOf, objectsOf, omitUndefined } from '../../../core/neutral/read'
import { effortOf } from '../../../core/neutral/thinking'
import { openAiChatCodec } from '../../openai-chat/codec'
import { writeMessages } from './messages'

/** A chat request. https://docs.ollama.com/api/chat */
export function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  const own = ownOf(call)
  const tools = call.tools.filter(({ kind }) => kind === 'function')
  const supportedCall = {
    ...call,
    tools,
    thinking: null,
    user: null,
    serviceTier: null,
    modalities: [],
    own: withoutOwn(call),
  }
  const body = openAiChatCodec.writeCall(supportedCall, warn)
  warnOfUnsupported(call, supportedFeatures, warn)
  warnOfBudget(call, warn)
  const { toolChoice } = call
  if (tools.length > 0 && toolChoice !== null && toolChoice.kind !== 'auto') warn('the choice of a tool')
  for (const tool of call.tools) if (tool.kind === 'built-in') warn(toolLabel(tool))
  return omitUndefined({
    model: call.model,
    messages: writeMessages(objectsOf(body['messages']), warn),
    tools: body['tools'],
    format: own['format'] ?? (call.output ? formatOf(call.output) : undefined),
    options: optionsOf(call, own),
    think: own['think'] ?? (call.thinking ? writeThink(call.thinking, call.model) : undefined),
    keep_alive: own['keep_alive'] ?? undefined,
    logprobs: body['logprobs'],
    top_logprobs: body['top_logprobs'],
    // Without it the response would be a stream.
    stream: call.isStream,
  })
}

const supportedFeatures = [
  ...(['maxTokens', 'temperature', 'topP', 'topK', 'stop', 'seed', 'penalties', 'logProbabilities'] as const),
  ...(['tools', 'output', 'thinking', 'metadata'] as const),
]

/** Members of Ollama's own, which its clients send in addition to OpenAI's. */
const ownNames: ReadonlySet<string> = new Set(['num_ctx', 'options', 'think', 'keep_alive', 'format'])

/** What clients say in Ollama's words. Its own clients say options as well. */
function ownOf({ own }: NeutralCall): JsonObject {
  if (own?.dialect === 'openai-chat') return own.members
  if (own?.dialect !== 'ollama-chat') return {}
  const { keep_alive, ...options } = own.members
  return { keep_alive, options }
}

function withoutOwn({ own }: NeutralCall): NeutralCall['own'] {
  if (own === null || own.dialect === 'ollama-chat') return null
  return { ...own, members: Object.fromEntries(Object.entries(own.members).filter(([name]) => !ownNames.has(name))) }
}

const formatOf = (output: OutputFormat): unknown => (output.kind === 'json' ? 'json' : output.schema)

/** GPT-OSS thinks in three degrees, and always; others do or do not. https://docs.ollama.com/capabilities/thinking */
function writeThink(thinking: Thinking, model: string): boolean | string {
  const effort = effortOf(thinking)
  if (!/gpt-oss/.test(model)) return effort !== 'none'
  if (effort === 'high' || effort === 'xhigh' || effort === 'max') return 'high'
  return effort === null || effort === 'medium' ? 'medium' : 'low'
}

/** https://docs.ollama.com/modelfile#valid-parameters-and-values; what the client says in Ollama's words wins. */
function optionsOf({ sampling }: NeutralCall, own: JsonObject): JsonObject | undefined {
  const options = omitUndefined({
    num_predict: sampling.maxTokens ?? undefined,
    temperature: sampling.temperature ?? undefined,
    top_p: sampling.topP ?? undefined,
    top_k: sampling.topK ?? undefined,
    seed: sampling.seed ?? undefined,
    presence_penalty: sampling.presencePenalty ?? undefined,
    frequency_penalty: sampling.frequencyPenalty ?? undefined,
    stop: sampling.stop.length > 0 ? sampling.stop : undefined,
    num_ctx: own['num_ctx'] ?? undefined,
    ...objectOf(own['options']),
  })
  return Object.keys(options).length > 0 ? options : undefined
}
