import { daySeconds, type OptionValues } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Queries, Transaction } from '../../platform/store/database'

/** When a reading was requested, begun, and finished, in unix seconds; 0: never. */
export interface SyncTimes {
  readonly requested: number
  readonly started: number
  readonly finished: number
}

const names = ['requested', 'started', 'finished'] as const
const counterOf = (name: keyof SyncTimes) => `price-sync.${name}`

export async function syncTimes(query: Queries | Transaction): Promise<SyncTimes> {
  const rows = await query.selectFrom('counters').selectAll().where('name', 'in', names.map(counterOf)).execute()
  const at = (name: keyof SyncTimes) => rows.find((row) => row.name === counterOf(name))?.value ?? 0
  return { requested: at('requested'), started: at('started'), finished: at('finished') }
}

export async function setSyncTime(query: Queries | Transaction, name: keyof SyncTimes, value: number): Promise<void> {
  await query
    .insertInto('counters')
    .values({ name: counterOf(name), value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

const day = daySeconds
const pauses: Readonly<Record<OptionValues['PriceSyncSchedule'], number | null>> = {
  off: null,
  daily: day,
  weekly: 7 * day,
}

/** Returns when sources are next read automatically; null: never. */
export const nextRun = ({ started }: SyncTimes, schedule: OptionValues['PriceSyncSchedule']): number | null => {
  const pause = pauses[schedule]
  return pause === null ? null : started + pause
}

/** A run that has not finished by now has crashed. */
const maxRunLength = 600

/** Returns whether a run was requested or is in progress. */
export const isRunning = ({ requested, started, finished }: SyncTimes, now: number): boolean =>
  requested > started || (started > finished && now - started < maxRunLength)

/** Returns whether a run is to begin. */
export const isDue = (times: SyncTimes, schedule: OptionValues['PriceSyncSchedule'], now: number): boolean => {
  const next = nextRun(times, schedule)
  return times.requested > times.started || (next !== null && next <= now)
}

export const nowOf = (clock: Context['clock']): number => clock.seconds()
