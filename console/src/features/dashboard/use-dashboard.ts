import { getRouteApi } from '@tanstack/react-router'
import { accountRoutes, dashboardRoutes, logRoutes, minuteSeconds } from '@tollgate/contract'

import { useRead } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { useSite } from '../../lib/api/status'
import { useNow } from '../../lib/text/use-now'
import { rangeOf } from './dashboard-range'
import type { DashboardSearch } from './dashboard-search'
import { queryOf, viewOf } from './dashboard-view'
import { useTranslation } from '../../lib/text/i18n'

const page = getRouteApi('/app/dashboard')
/** Refresh interval of figures of the last minute. */
const rateMs = 60_000
/** The longest timeout that browsers support. */
const maxMs = 2 ** 31 - 1

/** Refresh interval of the charts, as the operator set it. */
const useRefreshMs = (): number => Math.min(useSite().data_export_interval * minuteSeconds * 1000, maxMs)

/** Returns the view of the address, with defaults for what it leaves out. The range moves with the clock. */
export function useDashboardView() {
  const search = page.useSearch()
  const navigate = page.useNavigate()
  const now = useNow(useRefreshMs())
  const { data_export_default_time: usualStep } = useSite()
  const { user, may } = useViewer()
  const readsAll = may('logs.read')
  const view = {
    ...viewOf(search, { now, usualStep, readsAll }),
    /** Set where the view is limited to the reader but they could see others. */
    username: readsAll && search.mine ? user?.username : undefined,
  } as const
  const show = (change: DashboardSearch) =>
    void navigate({ search: (previous) => ({ ...previous, ...change }), replace: true })
  return { view, show }
}

export type DashboardView = ReturnType<typeof useDashboardView>['view']

/**
 * Sums over the range, of all users or of the reader alone, and then the same with measures. Measures take longer, so they are requested
 * once the sums are there.
 */
export function useDashboardData(view: DashboardView) {
  const route = view.isAllUsers ? dashboardRoutes.dashboard : dashboardRoutes.ownDashboard
  const query = { ...queryOf(view), group_by: view.by }
  const sums = useRead(route, { query })
  const refreshMs = useRefreshMs()
  const isReady = sums.data !== undefined && !sums.isPlaceholderData
  const measured = useRead(
    route,
    { query: { ...query, measures: true } },
    { refetchInterval: refreshMs, enabled: isReady },
  )
  return {
    sums,
    /** Measures of the previous range, while those of a new one are loading. */
    measured,
    /** The sums, with measures as soon as they are there. */
    data: measured.data && !measured.isPlaceholderData ? measured.data : sums.data,
  }
}

export type DashboardReads = ReturnType<typeof useDashboardData>

const topUsers = 6

/** Top users by spending within the range; for administrators. */
export const useTopUsers = (view: DashboardView) =>
  useRead(
    dashboardRoutes.dashboard,
    { query: { ...queryOf(view), group_by: 'user', limit: topUsers } },
    { refetchInterval: useRefreshMs() },
  )

/** Calls and tokens of the last minute. */
export function useRates({ isAllUsers }: DashboardView) {
  const now = useNow(rateMs / 4)
  const query = { start_timestamp: Math.floor(now / 1000 / 15) * 15 - minuteSeconds }
  return useRead(isAllUsers ? logRoutes.logStat : logRoutes.ownLogStat, { query })
}

export const useBalance = () => useRead(accountRoutes.getSelf, {}, { refetchInterval: rateMs })

const maxHealthDays = 3

/** Channels listed by the hour until the reader wants all. */
export const worstShown = 10

/** Hourly health of channels within the range, at most its last three days; for administrators. */
export function useChannelHealth({ quick, step, days, range: { start, end } }: DashboardView, limit: number) {
  const refreshMs = useRefreshMs()
  const now = useNow(refreshMs)
  const cut = days > maxHealthDays ? rangeOf(maxHealthDays, 'hour', end === undefined ? now : end * 1000).start : start
  // The last 24 hours are what the server takes by default: `useFailingChannels` shares the request.
  const query = quick === 1 && step === 'hour' ? { limit } : { start_timestamp: cut, end_timestamp: end, limit }
  return useRead(dashboardRoutes.channelHealth, { query }, { refetchInterval: refreshMs })
}

/** How many channels fail, over the last 24 hours as in the list of channels. */
export const useFailingChannels = (isEnabled: boolean) =>
  useRead(
    dashboardRoutes.channelHealth,
    { query: { limit: worstShown } },
    { refetchInterval: useRefreshMs(), enabled: isEnabled },
  )

/** Returns the name of a series, or a text for one without a name. */
export function useSeriesName({ by }: DashboardView) {
  const { t } = useTranslation('dashboard')
  return ({ name, is_other: isOther }: Pick<dashboardRoutes.DashboardSeries, 'name' | 'is_other'>): string =>
    isOther ? t('series.other') : name || t(`series.${by === 'token' ? 'noToken' : 'none'}`)
}
