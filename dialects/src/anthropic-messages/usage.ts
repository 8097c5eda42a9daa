import { isObject, type JsonObject } from '../json'
import type { Usage } from '../usage'

/** More tokens than any call can have; a vendor that says so is wrong. */
const mostTokens = 2 ** 30

/** Each member of a usage is the latest total: what a later event leaves out keeps what an earlier one said. */
export function mergedUsage(before: JsonObject, later: unknown): JsonObject {
  if (!isObject(later)) return before
  const said = Object.entries(later).filter(([, value]) => value !== null && value !== undefined)
  return { ...before, ...Object.fromEntries(said) }
}

/**
 * The usage of a message. Here `input_tokens` leaves out what was read from the cache or written to it.
 * Null when there is none or when a count cannot be believed: then it has to be estimated.
 */
export function readUsage(usage: unknown): Usage | null {
  if (!isObject(usage)) return null
  const counts = new Counts()
  const fresh = counts.of(usage['input_tokens'])
  const cachedTokens = counts.of(usage['cache_read_input_tokens'])
  const split = membersOf(usage['cache_creation'])
  const cacheWriteHourTokens = counts.of(split['ephemeral_1h_input_tokens'])
  const writtenTokens = Math.max(
    counts.of(usage['cache_creation_input_tokens']),
    counts.of(split['ephemeral_5m_input_tokens']) + cacheWriteHourTokens,
  )
  const completionTokens = counts.of(usage['output_tokens'])
  const promptTokens = fresh + cachedTokens + writtenTokens
  const webSearch = counts.of(membersOf(usage['server_tool_use'])['web_search_requests'])
  const reasoningTokens = counts.of(membersOf(usage['output_tokens_details'])['thinking_tokens'])
  if (counts.isWrong || promptTokens + completionTokens === 0) return null
  return {
    promptTokens,
    completionTokens,
    cachedTokens,
    cacheWriteTokens: writtenTokens - cacheWriteHourTokens,
    cacheWriteHourTokens,
    imageTokens: 0,
    audioInputTokens: 0,
    audioOutputTokens: 0,
    reasoningTokens,
    toolCalls: webSearch > 0 ? { webSearch } : {},
  }
}

/** Reads counts and remembers whether all could be believed. */
class Counts {
  isWrong = false

  of(value: unknown): number {
    if (value === undefined || value === null) return 0
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostTokens) return value
    this.isWrong = true
    return 0
  }
}

const membersOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** The totals that both a message and the end of its stream tell. */
function totals(usage: Usage): JsonObject {
  const { promptTokens, cachedTokens, cacheWriteTokens, cacheWriteHourTokens, completionTokens } = usage
  const written = cacheWriteTokens + cacheWriteHourTokens
  const { webSearch = 0 } = usage.toolCalls
  return {
    input_tokens: Math.max(promptTokens - cachedTokens - written, 0),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cachedTokens,
    output_tokens: completionTokens,
    ...(usage.reasoningTokens > 0 && { output_tokens_details: { thinking_tokens: usage.reasoningTokens } }),
    ...(webSearch > 0 && { server_tool_use: { web_search_requests: webSearch, web_fetch_requests: 0 } }),
  }
}

/** A usage as a whole message and the start of a stream have it. */
export const usageBody = (usage: Usage): JsonObject => ({
  ...totals(usage),
  cache_creation: {
    ephemeral_5m_input_tokens: usage.cacheWriteTokens,
    ephemeral_1h_input_tokens: usage.cacheWriteHourTokens,
  },
  service_tier: 'standard',
})

/** A usage as `message_delta` has it. */
export const deltaUsageBody = totals
