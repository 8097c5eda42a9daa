import type { UsageOptions } from '../dialect'
import type { JsonObject } from '../json'
import { objectsOf } from '../neutral/read'
import { readUsage } from '../openai/usage'
import type { ToolCalls, Usage } from '../usage'

/** The usage of a response, with how often its items say that the vendor's own tools ran. */
export function usageIn(response: JsonObject, options?: UsageOptions, toolCalls = toolCallsIn(response)): Usage | null {
  const usage = readUsage(response['usage'], options)
  return usage && { ...usage, toolCalls }
}

function toolCallsIn(response: JsonObject): ToolCalls {
  const items = objectsOf(response['output'])
  const webSearch = items.filter(({ type }) => type === 'web_search_call').length
  const fileSearch = items.filter(({ type }) => type === 'file_search_call').length
  return { ...(webSearch > 0 && { webSearch }), ...(fileSearch > 0 && { fileSearch }) }
}

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
