import { logRoutes } from '@tollgate/contract'
import { getRouteApi } from '@tanstack/react-router'

import { useRead } from '../../lib/query'
import { useViewer } from '../../lib/session'
import { filterOf } from './log-query'
import type { LogRow } from './log-row'
import type { LogSearch } from './log-search'

const page = getRouteApi('/app/logs/api-usage')

export function useLogSearch() {
  const search = page.useSearch()
  const navigate = page.useNavigate()
  const setSearch = (change: LogSearch, { replace = false } = {}) =>
    void navigate({ search: (previous) => ({ ...previous, ...change }), replace })
  return { search, setSearch }
}

/** A page of rows; everybody's for administrators. */
export function useLogs(
  search: LogSearch,
  { page, size }: { readonly page: number; readonly size: number },
  pollMs?: number,
) {
  const { isAdmin } = useViewer()
  const query = { ...filterOf(search, isAdmin, Date.now() / 1000), p: page, page_size: size }
  return useRead(isAdmin ? logRoutes.listLogs : logRoutes.listOwnLogs, { query }, { refetchInterval: pollMs ?? false })
}

const statRefreshMs = 15_000

export function useLogStat(search: LogSearch) {
  const { isAdmin } = useViewer()
  const query = filterOf(search, isAdmin, Date.now() / 1000)
  return useRead(isAdmin ? logRoutes.logStat : logRoutes.ownLogStat, { query }, { refetchInterval: statRefreshMs })
}

/** The row whose panel is open: from the page, else by itself, as for a link that somebody sent. */
export function useOpenLog(id: number | undefined, rows: readonly LogRow[] | undefined) {
  const { isAdmin } = useViewer()
  const known = rows?.find((row) => row.id === id)
  const asked = useRead(
    isAdmin ? logRoutes.getLog : logRoutes.getOwnLog,
    { params: { id: id ?? 0 } },
    { enabled: id !== undefined && rows !== undefined && !known },
  )
  const found: LogRow | undefined = known ?? (asked.data?.id === id ? asked.data : undefined)
  return { row: found, error: known ? null : asked.error, retry: () => void asked.refetch() }
}
