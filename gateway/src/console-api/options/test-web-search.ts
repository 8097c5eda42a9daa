import type { optionRoutes } from '@tollgate/contract'

import { callSearchService, SearchRefused } from '../../channels/web-search/search-web'
import type { Context } from '../../context'
import { mask } from '../../platform/text/mask'

const maxExcerptLength = 500

/** Searches the web with the stored settings. Resolves with what was found, or with what the service responded. */
export async function testWebSearch(
  query: string,
  { catalog, clock, fetch }: Pick<Context, 'catalog' | 'clock' | 'fetch'>,
): Promise<optionRoutes.WebSearchTest> {
  const { options } = catalog.current
  const startedAt = clock.monotonic()
  const report = (result: Partial<optionRoutes.WebSearchTest>): optionRoutes.WebSearchTest => {
    const took = Math.round(clock.monotonic() - startedAt)
    return { outcome: 'found', took, pages: [], status: 0, excerpt: '', ...result }
  }
  if (options.WebSearchService === 'off') return report({ outcome: 'off' })
  try {
    const pages = await callSearchService(query, options, { fetch })
    return report({ pages: pages.map(({ url, title }) => ({ url, title })) })
  } catch (error) {
    if (error instanceof SearchRefused) {
      const excerpt = mask(error.excerpt.slice(0, maxExcerptLength), [options.WebSearchKey])
      return report({ outcome: 'refused', status: error.status, excerpt })
    }
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    return report({ outcome: isTimeout ? 'timeout' : 'unreachable' })
  }
}
