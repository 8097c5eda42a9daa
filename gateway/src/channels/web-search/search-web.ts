import type { OptionValues } from '@tollgate/contract'
import { isObject, type FoundPages, type SearchTerms } from '@tollgate/dialects'
import { readBeginning } from '@tollgate/http-client'

import type { Context } from '../../context'
import { parsedJson } from '../../platform/text/parsed-json'
import { searchServices, type FoundPage } from './search-services'

const maxQueryLength = 400
/** More than any service sends for a page of results. */
const maxResponseBytes = 512 * 1024
const maxExcerptLength = 1500
const maxResultLength = 12_000
/** What a model reads of one search: most texts have a token for three bytes, or fewer. */
export const maxResultBytes = 18_000

type SearchOptions = Pick<OptionValues, 'WebSearchService' | 'WebSearchUrl' | 'WebSearchKey' | 'WebSearchSeconds'>
type SearchDeps = Pick<Context, 'fetch' | 'log'>

/** Searches by the service of the operator. Never throws: a model that reads that its search failed answers without it. */
export async function searchWeb(
  query: string,
  { allowed, blocked }: SearchTerms,
  options: SearchOptions,
  deps: SearchDeps,
): Promise<FoundPages> {
  const shortQuery = query.trim().slice(0, maxQueryLength)
  if (shortQuery === '') return failedSearch('The search has no query.')
  try {
    const found = await callSearchService(shortQuery, options, deps)
    const pages = found.filter(
      ({ url }) => (allowed.length === 0 || isAt(url, allowed)) && !(blocked.length > 0 && isAt(url, blocked)),
    )
    return { pages: pages.map(({ url, title }) => ({ url, title })), text: textOf(pages), isError: false }
  } catch (error) {
    deps.log.warn({ error: error instanceof Error ? error.message : String(error) }, 'a search of the web failed')
    return failedSearch('The search failed.')
  }
}

const failedSearch = (text: string): FoundPages => ({ pages: [], text, isError: true })

/** The service responded with no results. */
export class SearchRefused extends Error {
  override readonly name = 'SearchRefused'

  constructor(
    readonly status: number,
    /** The beginning of its response. */
    readonly excerpt: string,
  ) {
    super(`The search service responded with ${status}`)
  }
}

/**
 * The address is the operator's, as those of channels are: it may be in a private network, and no redirect is followed, which would take the key elsewhere.
 * @throws SearchRefused; Error where the service does not respond in time.
 */
export async function callSearchService(
  query: string,
  { WebSearchService: name, WebSearchUrl: ownUrl, WebSearchKey: key, WebSearchSeconds: seconds }: SearchOptions,
  { fetch }: Pick<SearchDeps, 'fetch'>,
): Promise<readonly FoundPage[]> {
  if (name === 'off') throw new Error('No search service is set up')
  const { url, request, read } = searchServices[name]
  const { url: address, ...init } = request(ownUrl || (url ?? ''), key, query)
  const found = await fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.timeout(seconds * 1000) })
  const { status } = found
  const text = (await readBeginning(found, maxResponseBytes)).toString()
  const response = parsedJson(text)
  if (status < 200 || status > 299 || !isObject(response)) throw new SearchRefused(status, text)
  return read(response)
}

/** Returns whether a page is at one of these hosts, or below one. */
function isAt(address: string, hosts: readonly string[]): boolean {
  const hostname = URL.parse(address)?.hostname ?? ''
  return hosts.some((host) => {
    const [name = ''] = host
      .toLowerCase()
      .replace(/^\w+:\/\//, '')
      .split('/')
    return hostname === name || hostname.endsWith(`.${name}`)
  })
}

function textOf(pages: readonly FoundPage[]): string {
  if (pages.length === 0) return 'Nothing was found.'
  const parts = pages.map(({ url, title, excerpt }, index) => {
    return `[${index + 1}] ${title || url}\n${url}\n${excerpt.slice(0, maxExcerptLength)}`
  })
  const text = Buffer.from(parts.join('\n\n').slice(0, maxResultLength))
  // A character that is cut in two is left out.
  return new TextDecoder().decode(text.subarray(0, maxResultBytes), { stream: true })
}
