import type { JsonObject } from '../json'
import { objectOf, objectsOf } from '../neutral/read'
import { reportedSearches } from '../shared/searches'
import { readUsage, withServiceTier } from '../shared/usage'
import { toolCallCounts } from '../shared/reported-usage'
import type { ReportedUsage, ToolCalls, Usage } from '../usage'

/** Returns the usage of a response, with how often its items, or the usage itself, say that the vendor's own tools ran. */
export function usageIn(response: JsonObject): ReportedUsage | null {
  const usage = readUsage(response['usage'])
  return usage && withServiceTier({ ...usage, toolCalls: allCalls(response) }, response['service_tier'])
}

/** Items of some vendors do not show every search. */
function allCalls(response: JsonObject): ToolCalls {
  const ran = toolCallsOf(objectsOf(response['output']))
  const searches = reportedSearches(response['usage']) ?? 0
  return searches > (ran.webSearch ?? 0) ? { ...ran, webSearch: searches } : ran
}

/** Returns how often the vendor's own tools ran. */
export function toolCallsOf(items: readonly JsonObject[]): ToolCalls {
  const ran = new RanTools()
  for (const item of items) ran.add(item)
  return ran.calls
}

/** What a call of the search does beside searching. https://platform.openai.com/docs/guides/tools-web-search */
const opensPage: ReadonlySet<unknown> = new Set(['open_page', 'find_in_page', 'find'])

/** Counts how often the vendor's own tools ran, by the items of a response. */
export class RanTools {
  #webSearch = 0
  #fileSearch = 0
  #containers: Set<unknown> | null = null

  /**
   * Of web searches, pages that are opened cost nothing. The interpreter is billed by the container, in which several calls may
   * run. https://platform.openai.com/docs/pricing
   */
  add({ type, action, container_id, id }: JsonObject): void {
    if (type === 'web_search_call') this.#webSearch += opensPage.has(objectOf(action)['type']) ? 0 : 1
    else if (type === 'file_search_call') this.#fileSearch += 1
    else if (type === 'code_interpreter_call') (this.#containers ??= new Set()).add(container_id ?? id ?? {})
  }

  get calls(): ToolCalls {
    return toolCallCounts({
      webSearch: this.#webSearch,
      fileSearch: this.#fileSearch,
      codeInterpreter: this.#containers?.size ?? 0,
    })
  }
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
