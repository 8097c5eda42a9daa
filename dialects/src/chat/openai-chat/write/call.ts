import type { JsonObject } from '../../../core/json'
import type { NeutralCall, OutputFormat, Thinking } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { objectOf, omitUndefined } from '../../../core/neutral/read'
import { openAiVoices } from '../../../core/neutral/speech'
import { commonMembers } from '../../../core/shared/openai-members'
import { chatTraits, type ChatTraits, nearestEffort } from '../models'
import { writeUser } from '../short-text'
import { writeMessages } from './messages'
import { writeTools } from './tools'
import { effortOf } from '../../../core/neutral/thinking'

/**
 * A chat request in OpenAI's words. What the model of this name is known to refuse is left out, with a warning; what a
 * vendor wants otherwise is its own description's to change.
 */
export function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  const traits = chatTraits(call.model)
  return omitUndefined({
    ...ownMembers(call),
    model: call.model,
    messages: writeMessages(call.messages, traits, warn),
    ...writeTools(call, traits, warn),
    response_format: call.output ? writeOutput(call.output) : undefined,
    reasoning_effort: writeThinking(call.thinking, traits, warn),
    ...writeSampling(call, traits, warn),
    user: call.user === null ? undefined : writeUser(call.user),
    metadata: writeMetadata(call, warn),
    service_tier: call.serviceTier ?? undefined,
    ...writeModalities(call, traits, warn),
    stream: call.isStream || undefined,
    stream_options: call.isStream ? { include_usage: true } : undefined,
  })
}

/** Members of OpenAI's other dialect that mean the same here. */
function ownMembers({ own }: NeutralCall): JsonObject {
  if (own?.dialect === 'openai-chat') return own.members
  if (own?.dialect !== 'openai-responses') return {}
  return { ...commonMembers(own.members), verbosity: objectOf(own.members['text'])['verbosity'] ?? undefined }
}

function writeSampling({ sampling }: NeutralCall, { isOpenAi, takesStop }: ChatTraits, warn: Warn): JsonObject {
  if (sampling.topK !== null) warn('top_k')
  const max = takesStop ? (isOpenAi ? 4 : sampling.stop.length) : 0
  const stop = sampling.stop.slice(0, max)
  if (stop.length < sampling.stop.length) warn(max === 0 ? 'stop sequences' : `more than ${max} stop sequences`)
  return {
    max_tokens: sampling.maxTokens ?? undefined,
    temperature: sampling.temperature ?? undefined,
    top_p: sampling.topP ?? undefined,
    seed: sampling.seed ?? undefined,
    presence_penalty: sampling.presencePenalty ?? undefined,
    frequency_penalty: sampling.frequencyPenalty ?? undefined,
    stop: stop.length > 0 ? stop : undefined,
    n: sampling.choices > 1 ? sampling.choices : undefined,
    logprobs: sampling.hasLogProbabilities || undefined,
    top_logprobs: sampling.hasLogProbabilities ? (sampling.topLogProbabilities ?? undefined) : undefined,
  }
}

/** Only a call that is stored may carry them: others are refused. */
function writeMetadata({ metadata, own }: NeutralCall, warn: Warn): JsonObject | undefined {
  if (metadata === null || Object.keys(metadata).length === 0) return undefined
  if (own?.dialect === 'openai-chat' && own.members['store'] === true) return metadata
  warn('metadata')
  return undefined
}

function writeModalities({ modalities, voice }: NeutralCall, { isOpenAi }: ChatTraits, warn: Warn): JsonObject {
  const requested = modalities.filter((kind) => kind === 'audio' || !isOpenAi)
  if (requested.length < modalities.length) warn('answers in pictures')
  return {
    modalities: requested.length > 0 ? ['text', ...requested] : undefined,
    audio: voice === null ? undefined : { ...voice, voice: isOpenAi ? openAiVoice(voice.voice, warn) : voice.voice },
  }
}

/** Voices of one's own have ids. */
function openAiVoice(voice: string, warn: Warn): string {
  if (openAiVoices.has(voice) || voice.startsWith('voice_')) return voice
  warn(`the voice ${voice.slice(0, 32)}`)
  return 'alloy'
}

function writeOutput(output: OutputFormat): JsonObject {
  if (output.kind === 'json') return { type: 'json_object' }
  const { name, description, schema, isStrict } = output
  const described = omitUndefined({
    name: name || 'answer',
    description: description || undefined,
    schema,
    strict: isStrict ?? undefined,
  })
  return { type: 'json_schema', json_schema: described }
}

/** The most that vendors know whose efforts are not listed. */
const maxKnown = 'xhigh'

/** The effort, in one of the words that the model takes. */
export function writeThinking(thinking: Thinking | null, traits: ChatTraits, warn: Warn): string | undefined {
  if (thinking === null) return undefined
  const effort = effortOf(thinking)
  if (thinking.effort === null && thinking.isEnabled && (thinking.budgetTokens ?? -1) > 0)
    warn('the number of thinking tokens, which is said as an effort')
  if (traits.efforts === null) {
    // Which word switches it off differs by vendor, and a wrong one is refused.
    if (thinking.effort !== null || thinking.isEnabled) return effort === 'max' ? maxKnown : (effort ?? undefined)
    warn('that nothing is thought')
    return undefined
  }
  const nearest = effort && nearestEffort(effort, traits.efforts)
  if (traits.efforts.length === 0 && effort !== 'none') warn('thinking, which the model does not do')
  return nearest ?? undefined
}
