import type { OptionValues } from '@tollgate/contract'
import { objectOf, objectsOf, textOf, type JsonObject } from '@tollgate/dialects'

/** A page that was found. */
export interface FoundPage {
  readonly url: string
  readonly title: string
  readonly excerpt: string
}

/** A request to a search service, as far as it differs from those to others. */
interface ServiceRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** How a search service is called. */
interface SearchService {
  /** Where the operator names no other. Absent: every installation has its own. */
  readonly url?: string
  readonly request: (address: string, key: string, query: string) => ServiceRequest
  /** Returns the pages of its response. */
  readonly read: (response: JsonObject) => readonly FoundPage[]
}

type ServiceName = Exclude<OptionValues['WebSearchService'], 'off'>

/** Results of one search. More fill the window of a model and tell it little. */
const maxPages = 8
/** The client gets both. */
const maxTitleLength = 300
const maxUrlLength = 2000

const json = { 'content-type': 'application/json', accept: 'application/json' }

const withQuery = (address: string, parameters: Readonly<Record<string, string>>): string => {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

const pagesOf = (list: unknown, address: string, excerpt: string): readonly FoundPage[] =>
  objectsOf(list)
    .map((page) => ({
      url: textOf(page[address]),
      title: textOf(page['title']).slice(0, maxTitleLength),
      excerpt: textOf(page[excerpt]),
    }))
    .filter(({ url }) => /^https?:\/\//.test(url) && url.length <= maxUrlLength)
    .slice(0, maxPages)

export const searchServices: Readonly<Record<ServiceName, SearchService>> = {
  // https://docs.searxng.org/dev/search_api.html
  searxng: {
    request: (address, key, q) => ({
      method: 'GET',
      url: withQuery(address, { q, format: 'json' }),
      headers: { accept: 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }) },
    }),
    read: ({ results }) => pagesOf(results, 'url', 'content'),
  },
  // https://docs.tavily.com/documentation/api-reference/endpoint/search
  tavily: {
    url: 'https://api.tavily.com/search',
    request: (url, key, query) => ({
      method: 'POST',
      url,
      headers: { ...json, authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, max_results: maxPages }),
    }),
    read: ({ results }) => pagesOf(results, 'url', 'content'),
  },
  // https://api-dashboard.search.brave.com/app/documentation/web-search/get-started
  brave: {
    url: 'https://api.search.brave.com/res/v1/web/search',
    request: (address, key, q) => ({
      method: 'GET',
      url: withQuery(address, { q, count: String(maxPages) }),
      headers: { accept: 'application/json', 'x-subscription-token': key },
    }),
    read: ({ web }) => pagesOf(objectOf(web)['results'], 'url', 'description'),
  },
  // https://serper.dev/
  serper: {
    url: 'https://google.serper.dev/search',
    request: (url, key, q) => ({
      method: 'POST',
      url,
      headers: { ...json, 'x-api-key': key },
      body: JSON.stringify({ q, num: maxPages }),
    }),
    read: ({ organic }) => pagesOf(organic, 'link', 'snippet'),
  },
}
