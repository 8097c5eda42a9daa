import type { JsonObject } from '../../../core/json'
import type { Citation } from '../../../core/neutral/call'
import type { Page, Search } from '../../../core/neutral/events'

/** More than an answer cites; the others are left out. */
const maxPages = 10_000

/** The ids of searches that another vendor ran begin with this. */
export const foreignSearch = 'srvtoolu_foreign_'

/**
 * Writes searches that another vendor ran as blocks of Anthropic's own, for a client that lets the model search. What was found proves
 * nothing to Anthropic. https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool
 */
export class SearchBlocks {
  readonly #reported = new Set<string>()
  readonly #cited = new Map<string, Page>()

  constructor(private readonly newId: (prefix: string) => string) {}

  cite({ url, title = '' }: Citation): void {
    if (url !== undefined && this.#cited.size < maxPages) this.#cited.set(url, { url, title })
  }

  /** Returns the events of each block: a search for each query, and behind the last one what they found. */
  take({ queries, pages }: Search): readonly JsonObject[][] {
    for (const { url } of pages) this.#reported.add(url)
    const all = queries.length > 0 ? queries : ['']
    return all.flatMap((query, index) => {
      const id = this.newId(foreignSearch)
      return [writeSearch(id, query), writeResults(id, index === all.length - 1 ? pages : [])]
    })
  }

  /** Returns the same for pages that are cited and in no search: some vendors report nothing else of their searches. */
  rest(): readonly JsonObject[][] {
    const pages = [...this.#cited.values()].filter(({ url }) => !this.#reported.has(url))
    return pages.length === 0 ? [] : this.take({ queries: [], pages })
  }
}

const createBlockStart = (content_block: JsonObject): JsonObject => ({ type: 'content_block_start', content_block })
const createBlockStop = (): JsonObject => ({ type: 'content_block_stop' })

const writeSearch = (id: string, query: string): JsonObject[] => [
  createBlockStart({ type: 'server_tool_use', id, name: 'web_search', input: {} }),
  {
    type: 'content_block_delta',
    delta: { type: 'input_json_delta', partial_json: JSON.stringify({ query }) },
  },
  createBlockStop(),
]

const writeResults = (tool_use_id: string, pages: readonly Page[]): JsonObject[] => [
  createBlockStart({ type: 'web_search_tool_result', tool_use_id, content: pages.map(writePage) }),
  createBlockStop(),
]

const writePage = ({ url, title }: Page): JsonObject => ({
  type: 'web_search_result',
  url,
  title: title || url,
  encrypted_content: '',
  page_age: null,
})
