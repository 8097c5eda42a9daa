import { hourSeconds, logType } from '@tollgate/contract'
import { sql, type SelectQueryBuilder } from 'kysely'

import { totalOf } from '../analytics/query'
import type { SumProgress } from '../analytics/rollups'
import type { Queries } from '../../platform/store/database'
import type { Tables } from '../../platform/store/tables'
import { summedConditions, type LogFilter } from './log-filter'
import type { LogRange } from './access-paths'
import { nextTurn } from '../../platform/time/timers'

/** The cost and usage of calls. */
export interface Sums {
  readonly count: number
  readonly quota: number
  readonly prompt: number
  readonly completion: number
}

export const noSums: Sums = { count: 0, quota: 0, prompt: 0, completion: 0 }

/** Returns the sums of two sets of rows. */
export const addSums = (one: Sums, other: Sums): Sums => ({
  count: one.count + other.count,
  quota: one.quota + other.quota,
  prompt: one.prompt + other.prompt,
  completion: one.completion + other.completion,
})

/** Resolves with the sums of the rows in a range; all of the filter's when none is given. */
export const sumOfRows = (query: Queries, filter: LogFilter, range: Partial<LogRange> = {}): Promise<Sums> =>
  query
    .selectFrom('logs')
    .where((eb) => eb.and(summedConditions(eb, { ...filter, ...range })))
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.coalesce(eb.fn.sum<number>('quota'), eb.lit(0)).as('quota'),
      eb.fn.coalesce(eb.fn.sum<number>('prompt_tokens'), eb.lit(0)).as('prompt'),
      eb.fn.coalesce(eb.fn.sum<number>('completion_tokens'), eb.lit(0)).as('completion'),
    ])
    .executeTakeFirstOrThrow()

/** Charged calls that have rows. */
export interface ChargedHour {
  /** When it begins, in Unix seconds. */
  readonly hour: number
  readonly count: number
  readonly quota: number
}

/** Resolves with the charged calls of each hour from a moment on. */
export const chargedHours = (query: Queries, from: number): Promise<ChargedHour[]> =>
  selectChargedHours(query.selectFrom('logs'), from).execute()

export const selectChargedHours = (rows: SelectQueryBuilder<Tables, 'logs', object>, from: number) =>
  rows
    .select((eb) => [
      sql<number>`created_at - created_at % ${sql.lit(hourSeconds)}`.as('hour'),
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('quota').as('quota'),
    ])
    .where('created_at', '>=', from)
    .where('type', '=', logType.consumption)
    .groupBy('hour')

/** Resolves with the same for whole hours, from the sums and the hourly rollups. */
export async function sumOfHours(progress: SumProgress, filter: LogFilter, { from, to }: LogRange): Promise<Sums> {
  const sum = await totalOf(progress, { filter, hours: { from, before: to + 1 } })
  return { count: sum.count, quota: sum.quota, prompt: sum.prompt_tokens, completion: sum.completion_tokens }
}

/** Resolves with the first hours of the oldest and of the newest rollup, of any user; null when there is none. */
export async function rollupHours(query: Queries): Promise<{ oldest: number; newest: number } | null> {
  const hourOf = (order: 'asc' | 'desc') =>
    query.selectFrom('rollups').select('hour').orderBy('hour', order).limit(1).executeTakeFirst()
  const [oldest, newest] = await Promise.all([hourOf('asc'), hourOf('desc')])
  return oldest && newest ? { oldest: oldest.hour, newest: newest.hour } : null
}

/** A range, how to sum parts of it, and how long those may be. */
export interface Stretch {
  readonly range: LogRange
  readonly sumOf: (part: LogRange) => Promise<Sums>
  /** Seconds; every part is a multiple of it. */
  readonly step: number
  /** Seconds of the first part. */
  readonly first: number
}

export interface Reached {
  readonly sum: Sums
  /** The first second that was summed; null: everything was. */
  readonly until: number | null
}

/** On a local database a call in the same process may have to wait for one part. Longer parts cost less in total. */
const partMilliseconds = { inHaste: 10, atLeisure: 50 }

/** On a busy machine the deadline may pass before anything is summed: this many parts, which reach back a day, are summed anyway. */
const minParts = 6

/**
 * Sums over stretches, each older than the one before, from its newest part to its oldest. Parts grow to what can be summed in a few
 * milliseconds. At the deadline it stops, but not before `minParts`.
 */
export async function sumBackwards(stretches: readonly Stretch[], deadline: number): Promise<Reached> {
  let sum = noSums
  const pace = deadline === Infinity ? partMilliseconds.atLeisure : partMilliseconds.inHaste
  let until: number | null = null
  let parts = 0
  for (const { range, sumOf, step, first } of stretches) {
    let seconds = first
    for (let to = range.to; to >= range.from;) {
      const started = performance.now()
      if (parts >= minParts && started >= deadline) return { sum, until }
      const from = Math.max(range.from, to - seconds + 1)
      sum = addSums(sum, await sumOf({ from, to }))
      until = from
      parts += 1
      to = from - 1
      seconds = nextLength(seconds, step, performance.now() - started, pace)
      await nextTurn()
    }
  }
  return { sum, until: null }
}

function nextLength(seconds: number, step: number, took: number, pace: number): number {
  if (took < pace / 2) return seconds * 2
  return took > pace ? Math.max(Math.floor(seconds / 2 / step) * step, step) : seconds
}
