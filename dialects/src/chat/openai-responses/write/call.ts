import type { JsonObject } from '../../../core/json'
import { type NeutralCall, type OutputFormat, searchTool } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { objectOf, textOrNull, omitUndefined } from '../../../core/neutral/read'
import { chatTraits, type ChatTraits } from '../../openai-chat/models'
import { writeUser } from '../../openai-chat/short-text'
import { writeThinking } from '../../openai-chat/write/call'
import { commonMembers } from '../../../core/shared/openai-members'
import { dialectId } from '../name'
import { writeInput } from './input'
import { writeChoice, writeTools } from './tools'

/** Fewer are refused. https://platform.openai.com/docs/api-reference/responses/create#responses_create-max_output_tokens */
const minTokens = 16

/**
 * A request for a response. Nothing is kept at the vendor, so that thoughts come with what it needs to take them back.
 * What the model of this name is known to refuse is left out, with a warning.
 */
export function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  const traits = chatTraits(call.model)
  const text = writeText(call)
  return omitUndefined({
    ...ownMembers(call),
    model: call.model,
    ...writeInput(call, traits, warn),
    ...toolMembers(call, traits, warn),
    text: Object.keys(text).length > 0 ? text : undefined,
    ...reasoningMembers(call, traits, warn),
    ...writeSampling(call, traits, warn),
    metadata: call.metadata !== null && Object.keys(call.metadata).length > 0 ? call.metadata : undefined,
    safety_identifier: call.user === null ? undefined : writeUser(call.user),
    service_tier: call.serviceTier ?? undefined,
    store: false,
    stream: call.isStream || undefined,
  })
}

/** Members of OpenAI's other dialect that mean the same here. */
function ownMembers({ own }: NeutralCall): JsonObject {
  if (own?.dialect === dialectId) return own.members
  return own?.dialect === 'openai-chat' ? commonMembers(own.members) : {}
}

/** A choice without tools would be refused. */
function toolMembers(call: NeutralCall, { takesFreeTools }: ChatTraits, warn: Warn): JsonObject {
  const tools = writeTools(call.tools, warn, takesFreeTools)
  if (tools.length === 0) return {}
  return {
    tools,
    tool_choice: call.toolChoice ? writeChoice(call.toolChoice, tools, warn) : undefined,
    parallel_tool_calls: call.parallelTools ?? undefined,
  }
}

/** The format of the answer, and how wordy it shall be. */
export function writeText({ output, own }: NeutralCall): JsonObject {
  const members = own?.members ?? {}
  const verbosity =
    own?.dialect === dialectId
      ? objectOf(members['text'])['verbosity']
      : own?.dialect === 'openai-chat' && members['verbosity']
  return omitUndefined({
    format: output ? writeFormat(output) : undefined,
    verbosity: textOrNull(verbosity) ?? undefined,
  })
}

function writeFormat(output: OutputFormat): JsonObject {
  if (output.kind === 'json') return { type: 'json_object' }
  const { name, description, schema, isStrict } = output
  return omitUndefined({
    type: 'json_schema',
    name: name || 'answer',
    description: description || undefined,
    schema,
    strict: isStrict ?? undefined,
  })
}

/** A model that does not think refuses to be asked for the proof of it. */
function reasoningMembers(call: NeutralCall, traits: ChatTraits, warn: Warn): JsonObject {
  const canThink = traits.efforts === null || traits.efforts.length > 0
  const effort = writeThinking(call.thinking, traits, warn)
  const summary = canThink ? summaryOf(call) : undefined
  const include = [
    ...(canThink ? ['reasoning.encrypted_content'] : []),
    ...(call.sampling.hasLogProbabilities ? ['message.output_text.logprobs'] : []),
    // For clients that are told what was found.
    ...(traits.isOpenAi && searchTool(call.tools) ? ['web_search_call.action.sources'] : []),
  ]
  return {
    reasoning: effort === undefined && summary === undefined ? undefined : omitUndefined({ effort, summary }),
    include: include.length > 0 ? include : undefined,
  }
}

/** Clients of dialects that count thinking in tokens are shown what was thought unless they say otherwise. */
function summaryOf({ thinking }: NeutralCall): string | undefined {
  if (thinking === null || !thinking.isEnabled) return undefined
  const { isShown, budgetTokens, summary } = thinking
  if (summary !== null) return summary
  return isShown === true || (isShown === null && budgetTokens !== null) ? 'auto' : undefined
}

function writeSampling({ sampling, modalities, voice }: NeutralCall, { isOpenAi }: ChatTraits, warn: Warn): JsonObject {
  const unsaid: readonly (readonly [isAsked: boolean, name: string])[] = [
    [sampling.topK !== null, 'top_k'],
    [sampling.seed !== null, 'seed'],
    [(sampling.presencePenalty ?? 0) !== 0, 'presence_penalty'],
    [(sampling.frequencyPenalty ?? 0) !== 0, 'frequency_penalty'],
    [sampling.stop.length > 0, 'stop sequences'],
    [sampling.choices > 1, 'several choices'],
    [modalities.length > 0, 'answers in other than text'],
    [voice !== null, 'a voice'],
  ]
  for (const [isRequested, name] of unsaid) if (isRequested) warn(name)
  const { maxTokens } = sampling
  const isTooFew = isOpenAi && maxTokens !== null && maxTokens < minTokens
  if (isTooFew) warn(`fewer than ${minTokens} tokens`)
  return {
    max_output_tokens: isTooFew ? minTokens : (maxTokens ?? undefined),
    temperature: sampling.temperature ?? undefined,
    top_p: sampling.topP ?? undefined,
    top_logprobs: sampling.hasLogProbabilities ? (sampling.topLogProbabilities ?? undefined) : undefined,
  }
}
