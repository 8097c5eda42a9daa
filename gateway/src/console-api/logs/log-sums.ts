import { totalOf } from '../../billing/analytics/query'
import type { SumProgress } from '../../billing/analytics/sum-progress'
import type { Queries } from '../../platform/store/database'
import { summedConditions, type LogFilter } from './log-filter'
import type { LogRange } from './access-paths'

/** The cost and usage of calls. */
export interface Sums {
  readonly count: number
  readonly quota: number
  readonly prompt: number
  readonly completion: number
}

export const noSums: Sums = { count: 0, quota: 0, prompt: 0, completion: 0 }

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
