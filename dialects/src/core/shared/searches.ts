import { isObject, type JsonObject } from '../json'
import { objectOf, objectsOf, textOf, textsOf } from '../neutral/read'
import { toolCallCounts } from './reported-usage'
import { TokenCounts } from './usage'
import type { ToolCalls } from '../usage'

/*
 * Web searches within a chat. OpenAI's own answers only cite what was found; followers report a count in the usage, each under
 * a name of its own. A count that is reported is taken, even 0; an answer that cites without one stands for one search.
 */

/** Returns how often the vendor searched by what a usage reports; null where it does not say. */
type SearchCount = (usage: JsonObject, counts: TokenCounts, model: string) => number | null

const searchCounts: readonly SearchCount[] = [
  // https://openrouter.ai/docs/guides/features/server-tools/web-search
  (usage, counts) => counts.first(objectOf(usage['server_tool_use'])['web_search_requests']),
  // https://docs.x.ai/developers/tools/overview
  ({ server_side_tool_usage_details: ran }, counts) =>
    isObject(ran) ? counts.of(ran['web_search_calls']) + counts.of(ran['x_search_calls']) : null,
  // Only research is billed by the query, everything else by the request. https://docs.perplexity.ai/docs/getting-started/pricing
  ({ num_search_queries: queries }, counts, model) => {
    const requested = counts.first(queries)
    return requested === null || model.includes('deep-research') ? requested : Math.min(requested, 1)
  },
  // https://www.alibabacloud.com/help/en/model-studio/web-search
  ({ plugins }, counts) => counts.first(objectOf(objectOf(plugins)['search'])['count']),
  ({ x_tools: ran }, counts) => counts.first(objectOf(objectOf(ran)['web_search'])['count']),
  // Live Search of older models, billed by the source. Newer usages have the member too, as 0.
  ({ num_sources_used: sources }, counts) => counts.first(sources) || null,
]

/** Returns the count that a usage reports; null where it reports none that can be believed. */
export function reportedSearches(usage: unknown, model = ''): number | null {
  if (!isObject(usage)) return null
  const counts = new TokenCounts()
  for (const count of searchCounts) {
    counts.isWrong = false
    const searches = count(usage, counts, model)
    if (searches !== null && !counts.isWrong) return searches
  }
  return null
}

/** Counts the web searches of an answer, given whole or in chunks. */
export class WebSearches {
  #reported: number | null = null
  #isCited = false

  take(answer: JsonObject): void {
    this.#reported = reportedSearches(answer['usage'], textOf(answer['model'])) ?? this.#reported
    this.#isCited ||= citesPages(answer)
  }

  /** What is not looked at otherwise need not be parsed for a citation once there is one. */
  isWorthLooking(event: string): boolean {
    return !this.#isCited && citing.test(event)
  }

  get calls(): ToolCalls {
    return toolCallCounts({ webSearch: this.#reported ?? (this.#isCited ? 1 : 0) })
  }
}

/** In a text these quotes have escapes. */
const citing = /"(?:url_citation|citations|search_results|search_info|web_search)"/

/** An answer that cites pages of the web: in its messages as OpenAI does, or next to its choices. */
const citesPages = (answer: JsonObject): boolean =>
  namesPages(answer['citations']) ||
  namesPages(answer['search_results']) ||
  namesPages(answer['web_search']) ||
  namesPages(objectOf(answer['search_info'])['search_results']) ||
  objectsOf(answer['choices']).some(isCitingChoice)

const namesPages = (list: unknown): boolean =>
  Array.isArray(list) &&
  (textsOf(list).some((text) => text.startsWith('http')) ||
    objectsOf(list).some((page) => textOf(page['url']) !== '' || textOf(page['link']) !== ''))

const isCitingChoice = ({ message, delta }: JsonObject): boolean => isCiting(message) || isCiting(delta)

const isCiting = (value: unknown): boolean =>
  objectsOf(objectOf(value)['annotations']).some(({ type }) => type === 'url_citation')
