import type { Page } from '@tollgate/contract'

import type { Queries } from '../../platform/store/database'
import type { LogRow } from '../../platform/store/tables'
import type { LogFilter } from './log-filter'
import { logWindows } from './log-windows'
import { countIn, rowsIn } from './window-rows'

/** Up to this number the total is exact; beyond, it only says that there is more than what was shown. */
export const maxExactTotal = 10_000

/** How long one list may search. It always reads one window. */
export interface SearchBudget {
  readonly milliseconds: number
  /** Rows in a window; for tests. */
  readonly size?: number
}

const usualBudget: SearchBudget = { milliseconds: 25 }

export interface LogList {
  readonly items: LogRow[]
  readonly total: number
  /** There may be more rows than the total says. */
  readonly isTotalLowerBound: boolean
  /** The search ended before the log did: rows older than this second were not read. */
  readonly searchedUntil: number | null
}

/**
 * Resolves with a page of log rows, newest first, rows of one second by id, with a total that never counts millions. Filters that no index
 * covers together search back as far as the budget allows; older rows are reported as unseen, and are found with `to`.
 */
export async function listLogs(
  query: Queries,
  filter: LogFilter,
  page: Page,
  budget: SearchBudget = usualBudget,
): Promise<LogList> {
  const deadline = performance.now() + budget.milliseconds
  const end = page.offset + page.size
  const enough = Math.max(maxExactTotal, end)
  const items: LogRow[] = []
  let counted = 0
  for await (const window of logWindows(query, filter, budget.size)) {
    const found = await countIn(query, filter, window)
    const offset = Math.max(page.offset - counted, 0)
    const limit = page.size - items.length
    if (limit > 0 && offset < found) items.push(...(await rowsIn(query, filter, window, { offset, limit })))
    counted += found
    if (counted > enough) {
      const total = Math.max(maxExactTotal, Math.min(counted, end + 1))
      return { items, total, isTotalLowerBound: true, searchedUntil: null }
    }
    if (!window.isLast && performance.now() >= deadline) {
      return { items, total: counted, isTotalLowerBound: true, searchedUntil: window.from }
    }
  }
  return { items, total: counted, isTotalLowerBound: false, searchedUntil: null }
}
