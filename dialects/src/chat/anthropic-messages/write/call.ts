import type { JsonObject } from '../../../core/json'
import type { NeutralCall, OutputFormat } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { objectOf, omitUndefined } from '../../../core/neutral/read'
import { withLastMarks } from '../cache'
import { claudeTraits, type ClaudeTraits } from '../models'
import { dialectId } from '../name'
import { enforceable } from './schema'
import { writeMessages } from './messages'
import { writeThinking } from './thinking'
import { writeTools } from './tools'

/** A request for a message. What the model of this name does not take is left out, each with a warning. */
export function writeCall(requested: NeutralCall, warn: Warn): JsonObject {
  const call = withLastMarks(requested)
  const traits = claudeTraits(call.model)
  const own = call.own?.dialect === dialectId ? call.own.members : {}
  const { thinking, effort, isOn, maxTokens } = writeThinking(call, traits, warn)
  const instruction = instructionFor(call.output, traits, warn)
  return omitUndefined({
    ...own,
    model: call.model,
    max_tokens: maxTokens,
    ...writeMessages(call, instruction === null ? [] : [instruction], warn),
    ...writeTools(call, traits, warn),
    thinking: thinking ?? own['thinking'],
    ...writeSampling(call, traits, isOn, warn),
    output_config: outputConfig(own, effort, call.output, traits),
    metadata: call.user === null ? undefined : { user_id: call.user },
    service_tier: writeServiceTier(call.serviceTier, warn),
    stream: call.isStream ? true : undefined,
  })
}

function outputConfig(own: JsonObject, effort: string | undefined, output: OutputFormat | null, traits: ClaudeTraits) {
  const config = omitUndefined({
    ...objectOf(own['output_config']),
    ...(effort !== undefined && { effort }),
    ...(output?.kind === 'schema' &&
      traits.hasStructuredOutput && { format: { type: 'json_schema', schema: enforceable(output.schema) } }),
  })
  return Object.keys(config).length > 0 ? config : undefined
}

/** Where the model cannot be held to a form, it is asked for it. */
function instructionFor(output: OutputFormat | null, traits: ClaudeTraits, warn: Warn): string | null {
  if (output === null || (output.kind === 'schema' && traits.hasStructuredOutput)) return null
  return formInWords(output, warn)
}

/** Returns the instruction that stands for a format. */
export function formInWords(output: OutputFormat, warn: Warn): string {
  const alone = 'Answer with one JSON object and nothing else: no explanation and no code fence.'
  if (output.kind === 'json') {
    warn('the JSON format, which is asked for in words')
    return alone
  }
  warn('the JSON schema, which is asked for in words')
  return `${alone} It must satisfy this JSON schema: ${JSON.stringify(output.schema)}`
}

/** https://platform.claude.com/docs/en/api/service-tiers */
function writeServiceTier(serviceTier: string | null, warn: Warn): string | undefined {
  if (serviceTier === null) return undefined
  if (serviceTier === 'default' || serviceTier === 'standard_only') return 'standard_only'
  if (serviceTier !== 'auto' && serviceTier !== 'priority') warn(`the service tier ${serviceTier}`)
  return serviceTier === 'auto' || serviceTier === 'priority' ? 'auto' : undefined
}

/** The least `top_p` that goes with thinking. */
const minTopP = 0.95

/** How tokens are drawn and where the answer stops, and a warning of everything that this dialect has no word for. */
function writeSampling(call: NeutralCall, traits: ClaudeTraits, isThinking: boolean, warn: Warn): JsonObject {
  const { sampling } = call
  warnOfOthers(call, warn)
  const stop = sampling.stop.filter((text) => text.trim() !== '')
  if (stop.length < sampling.stop.length) warn('a stop sequence of white space')
  return omitUndefined({
    ...writeRandomness(call, traits, isThinking, warn),
    stop_sequences: stop.length > 0 ? stop : undefined,
  })
}

function writeRandomness({ sampling }: NeutralCall, traits: ClaudeTraits, isThinking: boolean, warn: Warn): JsonObject {
  const { temperature, topP, topK } = sampling
  const refuses = (value: number | null, isRefused: boolean, name: string): number | undefined => {
    if (value !== null && isRefused) warn(name)
    return value === null || isRefused ? undefined : value
  }
  const isFixed = traits.refusesSampling || isThinking
  const heat = refuses(temperature, isFixed && temperature !== 1, 'temperature')
  const isSecond = heat !== undefined && traits.takesOneSampler
  if (heat !== undefined && heat > 1) warn('temperature above 1')
  return {
    temperature: traits.refusesSampling || heat === undefined ? undefined : Math.min(heat, 1),
    top_p: refuses(topP, traits.refusesSampling || isSecond || (isThinking && (topP ?? 1) < minTopP), 'top_p'),
    top_k: refuses(topK, isFixed, 'top_k'),
  }
}

function warnOfOthers({ sampling, metadata, modalities, voice }: NeutralCall, warn: Warn): void {
  const unsaid: readonly (readonly [isAsked: boolean, name: string])[] = [
    [sampling.seed !== null, 'seed'],
    [(sampling.presencePenalty ?? 0) !== 0, 'presence_penalty'],
    [(sampling.frequencyPenalty ?? 0) !== 0, 'frequency_penalty'],
    [sampling.choices > 1, 'several choices'],
    [sampling.hasLogProbabilities, 'log probabilities'],
    [metadata !== null && Object.keys(metadata).length > 0, 'metadata'],
    [modalities.length > 0, 'answers in other than text'],
    [voice !== null, 'a voice'],
  ]
  for (const [isRequested, name] of unsaid) if (isRequested) warn(name)
}
