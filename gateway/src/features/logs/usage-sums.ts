import type { Queries } from '../../store/database'
import type { DimensionName } from '../../analytics/dimensions'
import type { Books } from '../../analytics/folds'
import type { Pair } from '../../analytics/pairs'
import { pairSum } from '../../analytics/read-pairs'
import { sumOfAll } from '../../analytics/read-sums'
import { summedConditions, rollupConditions, type LogFilter } from './log-filter'
import type { LogRange } from './log-lanes'

/** What calls cost and used. */
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

/** Of the rows in a range; all of the filter's when none is given. */
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

/** The same of the whole hours a range is made of, from the rollups. */
export const sumOfHours = (query: Queries, filter: LogFilter, { from, to }: LogRange): Promise<Sums> =>
  query
    .selectFrom('rollups')
    .where((eb) => eb.and(rollupConditions(eb, filter, { from, before: to + 1 })))
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<number>('count'), eb.lit(0)).as('count'),
      eb.fn.coalesce(eb.fn.sum<number>('quota'), eb.lit(0)).as('quota'),
      eb.fn.coalesce(eb.fn.sum<number>('prompt_tokens'), eb.lit(0)).as('prompt'),
      eb.fn.coalesce(eb.fn.sum<number>('completion_tokens'), eb.lit(0)).as('completion'),
    ])
    .executeTakeFirstOrThrow()

/** The same of hours that are added up by a column of the filter, or by any where it has none. */
export async function sumOfFolded(
  books: Books,
  dimension: DimensionName,
  filter: LogFilter,
  { from, to }: LogRange,
): Promise<Sums> {
  const sum = await sumOfAll(books, { dimension, filter, hours: { from, before: to + 1 } })
  return { count: sum.count, quota: sum.quota, prompt: sum.prompt_tokens, completion: sum.completion_tokens }
}

/** The same of thirds of days that are added up by both columns of the filter. */
export async function sumOfPair(books: Books, pair: Pair, filter: LogFilter, { from, to }: LogRange): Promise<Sums> {
  const sum = await pairSum(books, { pair, filter, hours: { from, before: to + 1 } })
  return { count: sum.count, quota: sum.quota, prompt: sum.prompt_tokens, completion: sum.completion_tokens }
}

/** The first hours of the oldest and of the newest rollup; null when there is none. Whose they are does not matter. */
export async function rollupHours(query: Queries): Promise<{ oldest: number; newest: number } | null> {
  const hourOf = (order: 'asc' | 'desc') =>
    query.selectFrom('rollups').select('hour').orderBy('hour', order).limit(1).executeTakeFirst()
  const [oldest, newest] = await Promise.all([hourOf('asc'), hourOf('desc')])
  return oldest && newest ? { oldest: oldest.hour, newest: newest.hour } : null
}
