import type { JsonObject } from '../json'
import { objectsOf } from '../neutral/read'
import { readUsage, withServiceTier } from '../openai/usage'
import { toolCallCounts } from '../reported-usage'
import type { ReportedUsage, ToolCalls, Usage } from '../usage'

/** Returns the usage of a response, with how often its items say that the vendor's own tools ran. */
export function usageIn(response: JsonObject): ReportedUsage | null {
  const usage = readUsage(response['usage'])
  return (
    usage &&
    withServiceTier({ ...usage, toolCalls: toolCallsOf(objectsOf(response['output'])) }, response['service_tier'])
  )
}

/** Returns how often the vendor's own tools ran. */
export const toolCallsOf = (items: readonly JsonObject[]): ToolCalls =>
  toolCallCounts({
    webSearch: items.filter(({ type }) => type === 'web_search_call').length,
    fileSearch: items.filter(({ type }) => type === 'file_search_call').length,
  })

/** A usage as a response has it. */
export const usageBody = (usage: Usage): JsonObject => ({
  input_tokens: usage.promptTokens,
  input_tokens_details: {
    cached_tokens: usage.cachedTokens,
    cache_write_tokens: usage.cacheWriteTokens + usage.cacheWriteHourTokens,
  },
  output_tokens: usage.completionTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  total_tokens: usage.promptTokens + usage.completionTokens,
})
