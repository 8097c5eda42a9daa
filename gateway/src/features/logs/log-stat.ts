import type { logRoutes } from '@tollgate/contract'

import type { Queries } from '../../store/database'
import { consumptionConditions, rollupConditions, type LogFilter } from './log-filter'

const hourSeconds = 3600

interface Sums {
  readonly count: number
  readonly quota: number
  readonly prompt: number
  readonly completion: number
}

/**
 * What the calls within the filters cost and used; `type` does not matter. Whole hours come from the rollups,
 * the edges of the range from the rows. `rpm` and `tpm` are those of the 60 seconds before `now`, whatever the range.
 */
export async function logStat(query: Queries, filter: LogFilter, now: number): Promise<logRoutes.LogStat> {
  // The hourly sums know nothing of single calls.
  const { hours, edges } = filter.requestId === undefined ? splitRange(filter) : whole(filter)
  const parts = [sumOfMinute(query, filter, now)]
  if (hours) parts.push(sumOfRollups(query, filter, hours))
  for (const edge of edges) parts.push(sumOfRows(query, { ...filter, ...edge }))
  const [minute = none, ...rest] = await Promise.all(parts)
  const sum = rest.reduce(add, none)
  return {
    quota: sum.quota,
    rpm: minute.count,
    tpm: minute.prompt + minute.completion,
    token_total: sum.prompt + sum.completion,
    token_input: sum.prompt,
    token_output: sum.completion,
  }
}

const none: Sums = { count: 0, quota: 0, prompt: 0, completion: 0 }

const add = (a: Sums, b: Sums): Sums => ({
  count: a.count + b.count,
  quota: a.quota + b.quota,
  prompt: a.prompt + b.prompt,
  completion: a.completion + b.completion,
})

interface Range {
  readonly from: number
  readonly to: number
}

/** Beyond any moment that is stored, and exact. */
const endOfTime = Math.floor(Number.MAX_SAFE_INTEGER / hourSeconds) * hourSeconds

interface SplitRange {
  readonly hours: { readonly from: number; readonly before: number } | null
  readonly edges: readonly Range[]
}

const whole = ({ from = 0, to = endOfTime - 1 }: LogFilter): SplitRange => ({ hours: null, edges: [{ from, to }] })

/** The whole hours of a range, and what is left of it at its two ends. */
export function splitRange({ from = 0, to = endOfTime - 1 }: LogFilter): SplitRange {
  const firstHour = Math.ceil(from / hourSeconds) * hourSeconds
  const afterLast = Math.floor((Math.min(to, endOfTime - 1) + 1) / hourSeconds) * hourSeconds
  if (firstHour >= afterLast) return { hours: null, edges: [{ from, to }] }
  const edges: Range[] = [
    { from, to: firstHour - 1 },
    { from: afterLast, to },
  ]
  return { hours: { from: firstHour, before: afterLast }, edges: edges.filter((edge) => edge.from <= edge.to) }
}

function sumOfRollups(query: Queries, filter: LogFilter, hours: { from: number; before: number }): Promise<Sums> {
  return query
    .selectFrom('rollups')
    .where((eb) => eb.and(rollupConditions(eb, filter, hours)))
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<number>('count'), eb.lit(0)).as('count'),
      eb.fn.coalesce(eb.fn.sum<number>('quota'), eb.lit(0)).as('quota'),
      eb.fn.coalesce(eb.fn.sum<number>('prompt_tokens'), eb.lit(0)).as('prompt'),
      eb.fn.coalesce(eb.fn.sum<number>('completion_tokens'), eb.lit(0)).as('completion'),
    ])
    .executeTakeFirstOrThrow()
}

function sumOfRows(query: Queries, filter: LogFilter): Promise<Sums> {
  return query
    .selectFrom('logs')
    .where((eb) => eb.and(consumptionConditions(eb, filter)))
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.coalesce(eb.fn.sum<number>('quota'), eb.lit(0)).as('quota'),
      eb.fn.coalesce(eb.fn.sum<number>('prompt_tokens'), eb.lit(0)).as('prompt'),
      eb.fn.coalesce(eb.fn.sum<number>('completion_tokens'), eb.lit(0)).as('completion'),
    ])
    .executeTakeFirstOrThrow()
}

const sumOfMinute = (query: Queries, filter: LogFilter, now: number) =>
  sumOfRows(query, { ...filter, from: now - 59, to: now })
