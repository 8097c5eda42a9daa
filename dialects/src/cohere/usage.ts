import type { JsonObject } from '../json'
import { objectOf } from '../neutral/read'
import { readUsage } from '../openai/usage'
import type { Usage } from '../usage'

/**
 * The usage of a call from Cohere's `usage` or `meta`: what is billed, or else what was counted.
 * Null when neither says tokens, as for searches. https://docs.cohere.com/reference/chat
 */
export function readCohereUsage(meta: JsonObject): Usage | null {
  return fromCounts(objectOf(meta['billed_units']), meta) ?? fromCounts(objectOf(meta['tokens']), meta)
}

function fromCounts(counts: JsonObject, { cached_tokens }: JsonObject): Usage | null {
  const usage = readUsage({ ...counts, prompt_tokens_details: { cached_tokens } })
  // The cache is counted among all tokens, of which fewer may be billed.
  return usage && { ...usage, cachedTokens: Math.min(usage.cachedTokens, usage.promptTokens) }
}
