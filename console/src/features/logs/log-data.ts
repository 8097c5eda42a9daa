import { useCallback, useState } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { logRoutes, logType } from '@tollgate/contract'

import type { ListPart } from '../../components/data-table/use-list'
import { useRead } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { filterOf, filtersIn, type LogFilter, rowsQuery, statQuery } from './log-query'
import type { LogRow } from './log-row'
import type { LogSearch } from './log-search'
import { preloadTime } from '../../lib/api/preload'
import { nowSeconds } from '../../lib/text/use-now'

const page = getRouteApi('/app/logs/api-usage')

export function useLogSearch() {
  const search = page.useSearch()
  const navigate = page.useNavigate()
  const setSearch = useCallback(
    (change: LogSearch, { replace = false } = {}) =>
      void navigate({ search: (previous) => ({ ...previous, ...change }), replace }),
    [navigate],
  )
  return { search, setSearch }
}

/** A page of rows; of all users for administrators. */
export function useLogs(filter: LogFilter, part: ListPart<logRoutes.LogSort>, pollMs?: number) {
  const readsAll = useViewer().may('logs.read')
  const query = rowsQuery(filter, part)
  return useRead(readsAll ? logRoutes.listLogs : logRoutes.listOwnLogs, { query }, { refetchInterval: pollMs ?? false })
}

const statRefreshMs = 15_000

/** Sums of the filters: first as far back as is fast, or all of them on request. */
export function useLogStat(filter: LogFilter) {
  const readsAll = useViewer().may('logs.read')
  const question = JSON.stringify(filter)
  const [whole, setWhole] = useState<string | undefined>()
  const isWhole = whole === question
  const query = statQuery(filter, { isWhole })
  const refetchInterval = isWhole ? false : statRefreshMs
  const stat = useRead(readsAll ? logRoutes.logStat : logRoutes.ownLogStat, { query }, { refetchInterval })
  return { data: stat.data, isStale: stat.isPlaceholderData, sumAll: () => setWhole(question) }
}

/** The row whose panel is open: from the page until it has loaded separately with its conversation. */
export function useOpenLog(id: number | undefined, rows: readonly LogRow[] | undefined) {
  const readsAll = useViewer().may('logs.read')
  const known = rows?.find((row) => row.id === id)
  const requested = useRead(
    readsAll ? logRoutes.getLog : logRoutes.getOwnLog,
    { params: { id: id ?? 0 } },
    { enabled: id !== undefined && rows !== undefined && (!known || known.type === logType.consumption) },
  )
  const attempts = known?.attempts
  const whole: LogRow | undefined = requested.data?.id === id ? requested.data : undefined
  const found = whole && attempts ? { ...whole, attempts } : (whole ?? known)
  // The conversation of the call is loading.
  const isPartial = found !== undefined && found === known && requested.isFetching
  return { row: found, isPartial, error: requested.error, retry: () => void requested.refetch() }
}

/** How long a moment counts as now: an untouched list keeps its query. */
const maxSeconds = 1_800
/** A moment this recent is reused for a refresh. */
const freshSeconds = 60

/** Returns the filters of the address, and a function that moves relative times to the present. */
export function useFilter(address: LogSearch) {
  const search = filtersIn(address)
  const readsAll = useViewer().may('logs.read')
  const question = JSON.stringify(search)
  const [requested, setRequested] = useState(() => ({ question, at: Math.floor(preloadTime() / 1000) }))
  const age = nowSeconds() - requested.at
  if (requested.question !== question || age > maxSeconds) setRequested({ question, at: nowSeconds() })
  const filter = filterOf(search, readsAll, requested.at)
  return {
    question,
    filter,
    /** Returns whether the filters changed, in which case the query runs anyway. */
    renew: () => {
      const at = nowSeconds()
      const isSame = JSON.stringify(filterOf(search, readsAll, at)) === JSON.stringify(filter)
      if (isSame || age <= freshSeconds) return false
      setRequested({ question, at })
      return true
    },
  }
}

const livePollMs = 2_000

/** Whether new rows are polled. */
export function useLive(isPossible: boolean) {
  const [isRequested, setRequested] = useState(false)
  const [isPaused, setPaused] = useState(false)
  const isOn = isRequested && isPossible
  return {
    isPossible,
    isOn,
    isPaused: isOn && isPaused,
    toggle: () => {
      setRequested(!isOn)
      setPaused(false)
    },
    pause: () => setPaused(!isPaused),
    pollMs: isOn ? livePollMs : undefined,
  }
}
export type Live = ReturnType<typeof useLive>
