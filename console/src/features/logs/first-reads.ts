import type { QueryClient } from '@tanstack/react-query'

import { pagingOf } from '../../components/data-table/use-page'
import { askAhead } from '../../lib/query'
import { viewer } from '../../lib/session'
import { filterOf } from './log-query'
import { rowsRead, statRead } from './log-reads'
import type { LogSearch } from './log-search'
import { filtersIn, momentOf } from './use-filter'

/** Asks what the page asks as soon as it is drawn. */
export function firstReads(client: QueryClient, search: LogSearch): void {
  const asker = { readsAll: viewer().may('logs.read') }
  const filters = filtersIn(search)
  const filter = filterOf(filters, asker.readsAll, momentOf(JSON.stringify(filters)))
  askAhead(client, ...rowsRead(asker, filter, pagingOf(search)))
  askAhead(client, ...statRead(asker, filter, { isWhole: false }))
}
