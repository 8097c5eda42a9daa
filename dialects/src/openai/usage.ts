import type { UsageOptions } from '../dialect'
import { isObject, type JsonObject } from '../json'
import type { Usage } from '../usage'

/** More tokens than any call can have; a vendor that says so is wrong. */
const mostTokens = 2 ** 30

/** A count that cannot be believed. */
const wrong = Symbol('wrong')

/** A count; `undefined` when it is not there. */
function countOf(value: unknown): number | undefined | typeof wrong {
  if (value === undefined || value === null) return undefined
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostTokens ? value : wrong
}

/** Reads counts from under their many names and remembers whether all could be believed. */
class Counts {
  isWrong = false

  /** The first of these that is there and not zero; zero when none is. */
  first(...values: readonly unknown[]): number {
    for (const value of values) {
      const count = countOf(value)
      if (count === wrong) this.isWrong = true
      else if (count) return count
    }
    return 0
  }
}

const detailsOf = (usage: JsonObject, one: string, other: string): JsonObject => {
  const details = usage[one] ?? usage[other]
  return isObject(details) ? details : {}
}

/**
 * The usage of a call in one meaning, from OpenAI's shape and the variants of its followers.
 * Null when there is none or when a count is negative, broken, enormous or no number: then it has to be estimated.
 */
export function readUsage(usage: unknown, options: UsageOptions = {}): Usage | null {
  if (!isObject(usage)) return null
  const counts = new Counts()
  const prompt = detailsOf(usage, 'prompt_tokens_details', 'input_tokens_details')
  const completion = detailsOf(usage, 'completion_tokens_details', 'output_tokens_details')
  const promptTokens = counts.first(usage['prompt_tokens'], usage['input_tokens'])
  const reported = counts.first(usage['completion_tokens'], usage['output_tokens'])
  const totalTokens = counts.first(usage['total_tokens'])
  const left = Math.max(totalTokens - promptTokens, 0)
  const completionTokens = options.omitsReasoning ? Math.max(reported, left) : reported
  const result: Usage = {
    promptTokens,
    completionTokens,
    cachedTokens: counts.first(prompt['cached_tokens'], usage['prompt_cache_hit_tokens'], usage['cached_tokens']),
    cacheWriteTokens: counts.first(prompt['cache_write_tokens']),
    cacheWriteHourTokens: 0,
    imageTokens: counts.first(prompt['image_tokens']),
    audioInputTokens: counts.first(prompt['audio_tokens']),
    audioOutputTokens: counts.first(completion['audio_tokens']),
    reasoningTokens: counts.first(completion['reasoning_tokens']),
    toolCalls: {},
  }
  return counts.isWrong || promptTokens + completionTokens === 0 ? null : result
}

/** The usage of an answer or a chunk: its own, or that of its first choice as Moonshot writes it. */
export function usageIn(answer: JsonObject, options?: UsageOptions): Usage | null {
  const own = readUsage(answer['usage'], options)
  if (own) return own
  const choices = answer['choices']
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined
  return isObject(first) ? readUsage(first['usage'], options) : null
}

/** A usage as OpenAI writes it. */
export const usageBody = (usage: Usage): JsonObject => ({
  prompt_tokens: usage.promptTokens,
  completion_tokens: usage.completionTokens,
  total_tokens: usage.promptTokens + usage.completionTokens,
  prompt_tokens_details: { cached_tokens: usage.cachedTokens, audio_tokens: usage.audioInputTokens },
  completion_tokens_details: { reasoning_tokens: usage.reasoningTokens, audio_tokens: usage.audioOutputTokens },
})
