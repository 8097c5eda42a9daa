import { minuteSeconds, daySeconds, type dashboardRoutes } from '@tollgate/contract'

import { isStepFor, rangeOf, stepFor, wholeHours } from './dashboard-range'
import type { DashboardSearch } from './dashboard-search'

interface ViewOptions {
  /** Milliseconds. */
  readonly now: number
  /** The site's default step. */
  readonly usualStep: dashboardRoutes.Granularity
  readonly readsAll: boolean
}

/** Returns the view of an address, with defaults for what it leaves out. The range moves with the clock. */
export function viewOf(search: DashboardSearch, { now, usualStep, readsAll }: ViewOptions) {
  const { from } = search
  const isAllUsers = readsAll && !search.mine
  const end = search.to ?? Math.ceil(now / 1000 / minuteSeconds) * minuteSeconds
  const isCustom = from !== undefined && from < end
  const quick = isCustom ? undefined : (search.days ?? usualDays[search.step ?? usualStep])
  const days = quick ?? (end - (from ?? end)) / daySeconds
  const requestedStep = search.step ?? (search.days === undefined && !isCustom ? usualStep : stepFor(days))
  const step = isStepFor(requestedStep, days) ? requestedStep : stepFor(days)
  return {
    step,
    days,
    /** Days of a range that ends now. */
    quick,
    range: isCustom ? wholeHours(from, search.to) : rangeOf(days, step, now),
    by: groupingOf(search.by, isAllUsers),
    metric: search.metric ?? 'quota',
    isAllUsers,
    now,
  } as const
}

type View = ReturnType<typeof viewOf>

/** Grouping by channel or user requires the figures of all. */
const groupingOf = (by: DashboardSearch['by'] = 'model', isAllUsers: boolean) =>
  !isAllUsers && (by === 'channel' || by === 'user') ? 'model' : by

const usualDays = { hour: 1, day: 7, week: 90 } as const

/** Parameters of every query of a view. */
export const queryOf = ({ range, step }: Pick<View, 'range' | 'step'>) => ({
  start_timestamp: range.start,
  end_timestamp: range.end,
  granularity: step,
  utc_offset: -new Date().getTimezoneOffset(),
})
