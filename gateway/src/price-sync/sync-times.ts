import type { OptionValues } from '@tollgate/contract'

import type { Context } from '../context'
import type { Queries, Transaction } from '../store/database'

/** When sources were asked for, read, and done with, in unix seconds; 0: never. */
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

const day = 86_400
const pauses: Readonly<Record<OptionValues['PriceSyncSchedule'], number | null>> = {
  off: null,
  daily: day,
  weekly: 7 * day,
}

/** When sources are read next by themselves; null: never. */
export const nextRun = ({ started }: SyncTimes, schedule: OptionValues['PriceSyncSchedule']): number | null => {
  const pause = pauses[schedule]
  return pause === null ? null : started + pause
}

/** Whoever has not finished by now is gone. */
const longestRun = 600

/** Whether somebody asked for a run, or one is being made. */
export const isRunning = ({ requested, started, finished }: SyncTimes, now: number): boolean =>
  requested > started || (started > finished && now - started < longestRun)

/** Whether a run is to begin. */
export const isDue = (times: SyncTimes, schedule: OptionValues['PriceSyncSchedule'], now: number): boolean => {
  const next = nextRun(times, schedule)
  return times.requested > times.started || (next !== null && next <= now)
}

export const nowOf = (clock: Context['clock']): number => Math.floor(clock.now() / 1000)
