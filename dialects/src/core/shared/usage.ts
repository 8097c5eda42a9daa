import { isObject, type JsonObject } from '../json'
import { reportedUsage } from './reported-usage'
import { noUsage, type ReportedUsage, type Usage } from '../usage'

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
const maxServiceTierLength = 64

/** The usage with the tier that the answer names, where it names one. */
export function withServiceTier(usage: ReportedUsage, serviceTier: unknown): ReportedUsage {
  if (typeof serviceTier !== 'string' || serviceTier === '' || serviceTier.length > maxServiceTierLength) return usage
  return { ...usage, details: { ...usage.details, service_tier: serviceTier } }
}

/** A usage as OpenAI writes it. */
export const usageBody = (usage: Usage): JsonObject => ({
  prompt_tokens: usage.promptTokens,
  completion_tokens: usage.completionTokens,
  total_tokens: usage.promptTokens + usage.completionTokens,
  prompt_tokens_details: {
    cached_tokens: usage.cachedTokens,
    ...cacheWriteMember(usage),
    audio_tokens: usage.audioInputTokens,
  },
  completion_tokens_details: { reasoning_tokens: usage.reasoningTokens, audio_tokens: usage.audioOutputTokens },
})

/** Most vendors write nothing, and most clients do not know the word. */
function cacheWriteMember({ cacheWriteTokens, cacheWriteHourTokens }: Usage): JsonObject {
  const written = cacheWriteTokens + cacheWriteHourTokens
  return written > 0 ? { cache_write_tokens: written } : {}
}

/** More tokens than any call can have; a vendor that says so is wrong. */
const maxTokens = 2 ** 30

/** Reads the counts of a usage and remembers whether all of them are possible numbers. */
export class TokenCounts {
  /** A count is negative, fractional, enormous or not a number: nothing of this usage can be believed. */
  isWrong = false

  /** Returns the first of these that is there and not zero; null when none is there. */
  first(one: unknown, two?: unknown, three?: unknown): number | null {
    return this.#or(this.#or(this.#or(null, one), two), three)
  }

  #or(found: number | null, value: unknown): number | null {
    const isFound = found !== null && found > 0
    return isFound || value === undefined || value === null ? found : this.#checkCount(value)
  }

  /** Returns the count, zero where it is missing. */
  of(one: unknown, two?: unknown, three?: unknown): number {
    return this.first(one, two, three) ?? 0
  }

  #checkCount(value: unknown): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxTokens) return value
    this.isWrong = true
    return 0
  }
}

/** Longer than any recording that a vendor accepts: a week. */
const maxSeconds = 7 * 24 * 3600

/**
 * Returns the usage of speech or of a transcription: tokens, or the seconds of the recording. Null when it is missing or impossible.
 * https://platform.openai.com/docs/api-reference/audio/json-object
 */
export function audioUsage(usage: unknown): ReportedUsage | null {
  if (!isObject(usage)) return null
  return usage['type'] === 'duration' ? usageOfSeconds(usage['seconds']) : audioTokens(usage)
}

/** Returns a usage of this many seconds; null for an impossible length. */
export const usageOfSeconds = (seconds: unknown): ReportedUsage | null =>
  typeof seconds === 'number' && seconds > 0 && seconds <= maxSeconds ? { ...noUsage, seconds } : null

function audioTokens(usage: JsonObject): ReportedUsage | null {
  const counts = new TokenCounts()
  const prompt = detailsOf(usage, 'input_token_details', 'input_tokens_details')
  const completion = detailsOf(usage, 'output_token_details', 'output_tokens_details')
  const read: ReportedUsage = {
    ...noUsage,
    promptTokens: counts.of(usage['input_tokens'], usage['prompt_tokens']),
    completionTokens: counts.of(usage['output_tokens'], usage['completion_tokens']),
    audioInputTokens: counts.of(prompt['audio_tokens']),
    audioOutputTokens: counts.of(completion['audio_tokens']),
  }
  return counts.isWrong || read.promptTokens + read.completionTokens === 0 ? null : read
}
