import { logRoutes } from '@tollgate/contract'

import type { LogFilter } from './log-query'

/** What the page asks, for its hooks and for `first-reads.ts`. Whoever reads the log of all users asks of everybody. */
interface Asker {
  readonly readsAll: boolean
}

/** A page of rows. */
export const rowsRead = (
  { readsAll }: Asker,
  filter: LogFilter,
  { page, size }: { readonly page: number; readonly size: number },
) =>
  [
    readsAll ? logRoutes.listLogs : logRoutes.listOwnLogs,
    { query: { ...filter, p: page, page_size: size, joined: 'true' as const } },
  ] as const

/** The sums of the filters, as far back as goes at once; or all of them. */
export const statRead = ({ readsAll }: Asker, filter: LogFilter, { isWhole }: { readonly isWhole: boolean }) =>
  [
    readsAll ? logRoutes.logStat : logRoutes.ownLogStat,
    { query: { ...filter, ...(!isWhole && { quick: 'true' as const }) } },
  ] as const
