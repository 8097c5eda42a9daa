import type { windowRoutes } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Queries } from '../../../platform/store/database'
import type { WindowRow } from '../../../platform/store/tables'
import { capacityOf, type LimitWindow } from './limit-window'
import { limitWindow } from './read-windows'
import { endless, periodAt } from './schedule'

/** A window and one of those whom it limits. */
export interface WindowOf {
  readonly row: WindowRow
  readonly subjectId: number
}

interface Found {
  readonly windowId: number
  readonly subjectId: number
  readonly endsAt: number
  readonly capacity: number
  /** What is not used: free, and leased by workers. */
  readonly rest: number
}

/** Resolves with what is left of windows at a time. Caps on each call have nothing left. */
export async function standingsOf(
  query: Queries,
  windows: readonly WindowOf[],
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): Promise<windowRoutes.WindowStanding[]> {
  const limits = windows.flatMap(({ row, subjectId }) => {
    const window = limitWindow(row, subjectId, timeZone)
    return window ? [{ row, window }] : []
  })
  const found = await presentPeriods(query, limits, now)
  return limits.map(({ row, window }) => {
    const period = found.get(window.account)
    const capacity = period?.capacity ?? capacityOf(window.limit, row.grace_percent)
    const rest = period?.rest ?? capacity
    return {
      id: window.id,
      owner: window.owner,
      subject_id: window.subjectId,
      name: window.name,
      measure: window.measure,
      span: row.span,
      limit: window.limit,
      used: Math.max(0, capacity - rest),
      remaining: Math.max(0, rest),
      resets_at: resetOf(window, period, now),
    }
  })
}

/** Resolves with those of these windows of which nothing is left, by account, and the Unix second at which each period ends. */
export async function findUsedUp(
  query: Queries,
  windows: readonly LimitWindow[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const limits = windows.map((window) => ({ window }))
  const periods = await presentPeriods(query, limits, now)
  return new Map([...periods].filter(([, { rest }]) => rest <= 0).map(([account, { endsAt }]) => [account, endsAt]))
}

async function presentPeriods(
  query: Queries,
  limits: readonly { readonly window: LimitWindow }[],
  now: number,
): Promise<ReadonlyMap<string, Found>> {
  if (limits.length === 0) return new Map()
  const rows = await query
    .selectFrom('window_periods')
    .select((eb) => [
      'window_id as windowId',
      'subject_id as subjectId',
      'ends_at as endsAt',
      'capacity',
      eb('free', '+', leasedOfPeriod).as('rest'),
    ])
    .where('window_id', 'in', [...new Set(limits.map(({ window }) => window.id))])
    .where('subject_id', 'in', [...new Set(limits.map(({ window }) => window.subjectId))])
    .where('starts_at', '<=', now)
    .where('ends_at', '>', now)
    .orderBy('starts_at')
    .execute()
  return new Map(rows.map((row) => [`${row.windowId}:${row.subjectId}`, row]))
}

/** What workers have leased of a period. */
export const leasedOfPeriod = sql<number>`(select coalesce(sum(amount), 0) from leases where kind = 'window' and ref_id = window_periods.id)`

/** Returns when a window begins anew; null where it never does, or has not begun. */
function resetOf({ schedule, measure }: LimitWindow, period: Found | undefined, now: number): number | null {
  if (schedule.span === 'range' || measure === 'concurrent') return null
  const endsAt = period?.endsAt ?? (schedule.isSliding ? null : (periodAt(schedule, now)?.endsAt ?? null))
  return endsAt === endless ? null : endsAt
}
