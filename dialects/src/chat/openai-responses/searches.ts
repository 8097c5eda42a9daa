import type { JsonObject } from '../../core/json'
import type { Search } from '../../core/neutral/events'
import { objectOf, objectsOf, textOf, textsOf } from '../../core/neutral/read'
import { dialectId } from './name'

/**
 * Returns the search that an item tells of; null for other items, and for pages that the model opened.
 * https://platform.openai.com/docs/guides/tools-web-search
 */
export function readSearch(item: JsonObject): Search | null {
  const action = objectOf(item['action'])
  if (item['type'] !== 'web_search_call' || action['type'] !== 'search') return null
  const queries = textsOf(action['queries'])
  const query = textOf(action['query'])
  return {
    queries: queries.length === 0 && query !== '' ? [query] : queries,
    pages: objectsOf(action['sources']).flatMap(({ url }) =>
      textOf(url) === '' ? [] : [{ url: textOf(url), title: '' }],
    ),
    own: { dialect: dialectId, value: item },
  }
}

/** An item for a client. */
export function writeSearch({ queries, pages, own }: Search, newId: (prefix: string) => string): JsonObject {
  if (own?.dialect === dialectId) return own.value
  const sources = pages.map(({ url }) => ({ type: 'url', url }))
  return {
    id: newId('ws_'),
    type: 'web_search_call',
    status: 'completed',
    action: { type: 'search', query: queries[0] ?? '', queries, ...(sources.length > 0 && { sources }) },
  }
}
