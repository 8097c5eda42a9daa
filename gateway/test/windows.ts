import type { LimitWindow } from '../src/billing/ledger/window/limit-window'
import { limitWindow } from '../src/billing/ledger/window/read-windows'
import type { Database } from '../src/platform/store/database'
import type { WindowRow } from '../src/platform/store/tables'

const usual = {
  owner: 'user',
  name: 'Daily',
  measure: 'requests',
  limit_amount: 3,
  span: 'day',
  seconds: 0,
  starts_at: 0,
  ends_at: 0,
  is_sliding: 0,
  time_zone: '',
  grace_percent: 0,
  fallback_model: '',
  alert_percents: '',
  alerts_operators: 0,
  created_at: 1,
} as const satisfies Partial<WindowRow>

/** Creates a window that limits a user, a day in UTC unless said otherwise. */
export async function aWindow(
  { query }: Database,
  subjectId: number,
  columns: Partial<Omit<WindowRow, 'id'>> = {},
): Promise<LimitWindow> {
  const row = await query
    .insertInto('windows')
    .values({ ...usual, ref: String(subjectId), ...columns })
    .returningAll()
    .executeTakeFirstOrThrow()
  const window = limitWindow(row, subjectId, 'UTC')
  if (!window) throw new Error('A cap has no account')
  return window
}

/** A period of a hundred that ends in a minute. */
interface PeriodColumns {
  readonly subject_id: number
  readonly now: number
  readonly ends_at?: number
  /** Its length. */
  readonly seconds?: number
  readonly capacity?: number
  readonly used?: number
  readonly leased?: number
}

/** Creates a period of a window of which so much is used. */
export async function aPeriod({ query }: Database, windowId: number, columns: PeriodColumns): Promise<void> {
  const { subject_id, now, ends_at = now + 60, seconds = 120, capacity = 100, used = 0, leased = 0 } = columns
  const { id } = await query
    .insertInto('window_periods')
    .values({
      window_id: windowId,
      subject_id,
      starts_at: ends_at - seconds,
      ends_at,
      capacity,
      free: capacity - used - leased,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (leased > 0)
    await query
      .insertInto('leases')
      .values({ id: `lease-${id}`, worker_id: 'w', kind: 'window', ref_id: id, amount: leased, created_at: now })
      .execute()
}

export interface PeriodBooks {
  readonly startsAt: number
  /** What was drawn. */
  readonly used: number
  readonly leased: number
}

/** Resolves with the periods of a window, the first first. */
export async function periodsOf({ query }: Database, { id, subjectId }: LimitWindow): Promise<PeriodBooks[]> {
  const rows = await query
    .selectFrom('window_periods')
    .select(['id', 'starts_at', 'capacity', 'free'])
    .where('window_id', '=', id)
    .where('subject_id', '=', subjectId)
    .orderBy('starts_at')
    .execute()
  return Promise.all(
    rows.map(async ({ id: periodId, starts_at: startsAt, capacity, free }) => {
      const leases = await query
        .selectFrom('leases')
        .select('amount')
        .where('kind', '=', 'window')
        .where('ref_id', '=', periodId)
        .execute()
      const leased = leases.reduce((sum, { amount }) => sum + amount, 0)
      return { startsAt, used: capacity - free - leased, leased }
    }),
  )
}
