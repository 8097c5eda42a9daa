import { isObject, type JsonObject } from '../json'
import { reportedUsage } from './reported-usage'
import { TokenCounts } from './token-counts'
import type { ReportedUsage, Usage } from '../usage'

const detailsOf = (usage: JsonObject, one: string, other: string): JsonObject => {
  const details = usage[one] ?? usage[other]
  return isObject(details) ? details : {}
}

/**
 * The usage of a call in one meaning, from OpenAI's shape and the variants of its followers.
 * Null when there is none or when a count is negative, broken, enormous or no number: then it has to be estimated.
 */
export function readUsage(usage: unknown): ReportedUsage | null {
  if (!isObject(usage)) return null
  const counts = new TokenCounts()
  const prompt = detailsOf(usage, 'prompt_tokens_details', 'input_tokens_details')
  const completion = detailsOf(usage, 'completion_tokens_details', 'output_tokens_details')
  const read = reportedUsage({
    promptTokens: counts.first(usage['prompt_tokens'], usage['input_tokens']),
    completionTokens: counts.first(usage['completion_tokens'], usage['output_tokens']),
    totalTokens: counts.first(usage['total_tokens']),
    cachedTokens: counts.of(prompt['cached_tokens'], usage['prompt_cache_hit_tokens'], usage['cached_tokens']),
    cacheWriteTokens: counts.of(prompt['cache_write_tokens']),
    cacheWriteHourTokens: 0,
    imageTokens: counts.of(prompt['image_tokens']),
    audioInputTokens: counts.of(prompt['audio_tokens']),
    audioOutputTokens: counts.of(completion['audio_tokens']),
    reasoningTokens: counts.of(completion['reasoning_tokens']),
    toolCalls: {},
  })
  return counts.isWrong ? null : read
}

/** The usage of an answer or a chunk, with the tier that served it: its own, or that of its first choice as Moonshot writes it. */
export function usageIn(answer: JsonObject): ReportedUsage | null {
  const usage = readUsage(answer['usage']) ?? readUsage(firstChoiceOf(answer)['usage'])
  return usage && withServiceTier(usage, answer['service_tier'])
}

function firstChoiceOf({ choices }: JsonObject): JsonObject {
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined
  return isObject(first) ? first : {}
}

/** No tier's name is longer; anything longer is not recorded. */
const maxTierLength = 64

/** The usage with the tier that the answer names, where it names one. */
export function withServiceTier(usage: ReportedUsage, tier: unknown): ReportedUsage {
  if (typeof tier !== 'string' || tier === '' || tier.length > maxTierLength) return usage
  return { ...usage, details: { ...usage.details, service_tier: tier } }
}

/** A usage as OpenAI writes it. */
export const usageBody = (usage: Usage): JsonObject => ({
  prompt_tokens: usage.promptTokens,
  completion_tokens: usage.completionTokens,
  total_tokens: usage.promptTokens + usage.completionTokens,
  prompt_tokens_details: { cached_tokens: usage.cachedTokens, audio_tokens: usage.audioInputTokens },
  completion_tokens_details: { reasoning_tokens: usage.reasoningTokens, audio_tokens: usage.audioOutputTokens },
})
