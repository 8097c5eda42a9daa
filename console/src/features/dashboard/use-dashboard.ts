import { dashboardRoutes, logRoutes, selfRoutes } from '@tollgate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'

import { useRead } from '../../lib/query'
import { useViewer } from '../../lib/session'
import { useSite } from '../../lib/status'
import type { DashboardSearch } from './dashboard-search'

const page = getRouteApi('/app/dashboard')
const daySeconds = 86_400
const refreshMs = 60_000

/** What the address asks for, with defaults in place of what it leaves out. */
export function useDashboardView() {
  const search = page.useSearch()
  const navigate = page.useNavigate()
  const { data_export_default_time: usualStep } = useSite()
  const { isAdmin } = useViewer()
  const step = search.step ?? usualStep
  const view = {
    step,
    days: search.days ?? usualDays[step],
    by: search.by ?? 'model',
    metric: search.metric ?? 'quota',
    isEverybody: isAdmin && !search.mine,
  } as const
  const show = (change: DashboardSearch) =>
    void navigate({ search: (previous) => ({ ...previous, ...change }), replace: true })
  return { view, show }
}

const usualDays = { hour: 1, day: 7, week: 90 } as const

export type DashboardView = ReturnType<typeof useDashboardView>['view']

/** The range by whole minutes, so that drawing again does not ask again. */
function useRange(days: number) {
  return useMemo(() => {
    const now = Math.floor(Date.now() / 60_000) * 60
    return { start_timestamp: now - days * daySeconds, end_timestamp: now + 60 }
  }, [days])
}

/** The sums over the range, of everybody or of the reader alone. */
export function useDashboardData({ days, step, by, isEverybody }: DashboardView) {
  const query = {
    ...useRange(days),
    granularity: step,
    group_by: !isEverybody && (by === 'channel' || by === 'user') ? 'model' : by,
    utc_offset: -new Date().getTimezoneOffset(),
  }
  return useRead(
    isEverybody ? dashboardRoutes.dashboard : dashboardRoutes.ownDashboard,
    { query },
    { refetchInterval: refreshMs },
  )
}

/** Calls and tokens of the last minute. */
export function useRates({ isEverybody }: DashboardView) {
  const range = useRange(1)
  const query = { start_timestamp: range.end_timestamp - 60 }
  return useRead(isEverybody ? logRoutes.logStat : logRoutes.ownLogStat, { query }, { refetchInterval: refreshMs / 4 })
}

export const useBalance = () => useRead(selfRoutes.getSelf, {}, { refetchInterval: refreshMs })

/** The last day or week of every channel, for administrators. */
export const useChannelHealth = (days: number) =>
  useRead(dashboardRoutes.channelHealth, { query: useRange(Math.min(days, 3)) }, { refetchInterval: refreshMs })
