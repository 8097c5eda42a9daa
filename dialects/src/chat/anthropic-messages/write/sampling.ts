import type { JsonObject } from '../../../core/json'
import type { NeutralCall } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { omitUndefined } from '../../../core/neutral/read'
import type { ClaudeTraits } from '../models'

/** The least `top_p` that goes with thinking. */
const minTopP = 0.95

/** How tokens are drawn and where the answer stops, and a warning of everything that this dialect has no word for. */
export function writeSampling(call: NeutralCall, traits: ClaudeTraits, isThinking: boolean, warn: Warn): JsonObject {
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
