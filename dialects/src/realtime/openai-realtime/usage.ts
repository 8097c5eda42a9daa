import { isObject, type JsonObject } from '../../core/json'
import { TokenCounts } from '../../core/shared/token-counts'
import { noUsage, type ReportedUsage } from '../../core/usage'

const detailsOf = (usage: JsonObject, name: string): JsonObject => {
  const details = usage[name] ?? usage[name.replace('token_', 'tokens_')]
  return isObject(details) ? details : {}
}

/**
 * Returns the usage of one response; null when it is missing or impossible. Tokens that came from the cache are counted once, as such.
 * https://platform.openai.com/docs/api-reference/realtime-server-events/response/done
 */
export function responseUsage(usage: unknown): ReportedUsage | null {
  if (!isObject(usage)) return null
  const counts = new TokenCounts()
  const prompt = detailsOf(usage, 'input_token_details')
  const cached = isObject(prompt['cached_tokens_details']) ? prompt['cached_tokens_details'] : {}
  const completion = detailsOf(usage, 'output_token_details')
  const read: ReportedUsage = {
    ...noUsage,
    promptTokens: counts.of(usage['input_tokens'], usage['prompt_tokens']),
    completionTokens: counts.of(usage['output_tokens'], usage['completion_tokens']),
    cachedTokens: counts.of(prompt['cached_tokens']),
    cachedAudioTokens: counts.of(cached['audio_tokens']),
    imageTokens: uncached(counts, prompt['image_tokens'], cached['image_tokens']),
    audioInputTokens: uncached(counts, prompt['audio_tokens'], cached['audio_tokens']),
    audioOutputTokens: counts.of(completion['audio_tokens']),
    reasoningTokens: counts.of(completion['reasoning_tokens']),
  }
  return counts.isWrong || read.promptTokens + read.completionTokens === 0 ? null : read
}

const uncached = (counts: TokenCounts, all: unknown, cached: unknown): number =>
  Math.max(counts.of(all) - counts.of(cached), 0)
