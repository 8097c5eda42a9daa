import type { JsonObject } from '../../core/json'
import { numberOrNull, objectOf } from '../../core/neutral/read'
import { readUsage } from '../../core/shared/usage'
import type { ReportedUsage, Usage } from '../../core/usage'

/**
 * The usage of a call from Cohere's `usage` or `meta`: what is billed, or else what was counted.
 * Null when neither says tokens, as for searches. https://docs.cohere.com/reference/chat
 */
export function readCohereUsage(meta: JsonObject): ReportedUsage | null {
  const billed = fromCounts(objectOf(meta['billed_units']), meta)
  const counted = fromCounts(objectOf(meta['tokens']), meta)
  return isZero(billed) ? (counted ?? billed) : billed
}

const isZero = (usage: ReportedUsage | null): boolean =>
  usage === null || usage.promptTokens + usage.completionTokens === 0

/** The cache is counted among all tokens, of which fewer may be billed. */
function fromCounts(counts: JsonObject, { cached_tokens: cached }: JsonObject): ReportedUsage | null {
  const prompt = numberOrNull(counts['input_tokens'])
  const cached_tokens = typeof cached === 'number' && prompt !== null ? Math.min(cached, prompt) : cached
  return readUsage({ ...counts, prompt_tokens_details: { cached_tokens } })
}

/** The usage of an answer as Cohere writes it: all of it is billed. */
export function usageBody({ promptTokens, completionTokens, cachedTokens }: Usage): JsonObject {
  const counts = { input_tokens: promptTokens, output_tokens: completionTokens }
  return { billed_units: counts, tokens: counts, ...(cachedTokens > 0 && { cached_tokens: cachedTokens }) }
}
