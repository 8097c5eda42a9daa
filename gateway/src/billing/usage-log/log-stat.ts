import { hourSeconds, type logRoutes } from '@tollgate/contract'

import type { Queries } from '../../platform/store/database'
import { withModelNames } from '../../platform/store/model-names'
import { isConsumption, isOfSingleCalls, type LogFilter } from './log-filter'
import type { LogRange } from './access-paths'
import type { LogStore } from './log-store'
import { readSumProgress } from '../analytics/rollups'
import { dimensionOf } from '../analytics/query'
import { rollupHours, sumBackwards, sumOfHours, sumOfRows, type Reached, type Stretch } from './log-sums'

/** The time budget of a sum that need not be complete. */
export const quickMilliseconds = 25

/**
 * Resolves with the cost and usage of the rows within the filters: those of its type, the charged calls where it has none. Whole hours of
 * charged calls come from the rollups, the edges of the range and all other types from the rows. `rpm` and `tpm` are those of the 60
 * seconds before `now`, whatever the range. What lies after `now` is not summed. Sums for this many milliseconds, newest first; when that
 * was not enough, `searched_until` says how far it came.
 */
export async function logStat(
  query: Queries,
  filter: LogFilter,
  now: number,
  milliseconds = Infinity,
  rows: SummedRows = { sumsWhole: false, sum: (of, range) => sumOfRows(query, of, range) },
): Promise<logRoutes.LogStat> {
  const minute = await rows.sum(filter, { from: now - 59, to: now })
  const { sum, until } = await sumOfRange(query, rows, { ...filter, to: Math.min(filter.to ?? now, now) }, milliseconds)
  return {
    quota: sum.quota,
    rpm: minute.count,
    tpm: minute.prompt + minute.completion,
    token_total: sum.prompt + sum.completion,
    token_input: sum.prompt,
    token_output: sum.completion,
    ...(until !== null && { searched_until: until }),
  }
}

type SummedRows = Pick<LogStore, 'sum' | 'sumsWhole'>

async function sumOfRange(query: Queries, rows: SummedRows, filter: LogFilter, milliseconds: number): Promise<Reached> {
  // The hourly rollups do not have single calls.
  if (filter.requestId !== undefined) return { sum: await rows.sum(filter), until: null }
  // Nor rows other than consumption, but those are few and have an index of their own; nor the duration of a call.
  if (!isConsumption(filter) || isOfSingleCalls(filter)) {
    const { from = 0, to = endOfTime - 1 } = filter
    return sumBackwards([ofRows(rows, filter, { from, to })], performance.now() + milliseconds)
  }
  const { hours, edges } = splitRange(filter)
  const stretches = edges.map((edge) => ofRows(rows, filter, edge))
  const known = hours && (await rollupHours(query))
  if (known) stretches.push(await ofHours(query, filter, within(hours, known)))
  return sumBackwards(
    stretches.toSorted((one, other) => other.range.from - one.range.from),
    // The time to find out which rollups exist does not count.
    performance.now() + milliseconds,
  )
}

const ofRows = (rows: SummedRows, filter: LogFilter, range: LogRange): Stretch => ({
  range,
  sumOf: (part) => rows.sum(filter, part),
  step: 1,
  first: rows.sumsWhole ? range.to - range.from + 1 : hourSeconds / 4,
})

async function ofHours(query: Queries, requestedFilter: LogFilter, range: LogRange): Promise<Stretch> {
  const [progress, filter] = await Promise.all([readSumProgress(query), withModelNames(query, requestedFilter)])
  const dimension = dimensionOf(filter)
  const isSummed = dimension !== undefined && range.to < progress.until(dimension) + recentSeconds
  return {
    range,
    sumOf: (part) => sumOfHours(progress, filter, part),
    step: hourSeconds,
    first: isSummed ? longSeconds : 4 * hourSeconds,
  }
}

/** This many seconds of hours may not be added up yet, and are read quickly. */
const recentSeconds = 4 * hourSeconds
/** Long enough for most queries: one row per day and value is read. */
const longSeconds = 100 * 24 * hourSeconds

/** Returns the part of the hours in which there are rollups; it may be empty. */
const within = (hours: Hours, { oldest, newest }: { oldest: number; newest: number }): LogRange => ({
  from: Math.max(hours.from, oldest),
  to: Math.min(hours.before, newest + hourSeconds) - 1,
})

interface Hours {
  readonly from: number
  readonly before: number
}

/** Beyond any stored time, and exact. */
const endOfTime = Math.floor(Number.MAX_SAFE_INTEGER / hourSeconds) * hourSeconds

interface SplitRange {
  readonly hours: Hours | null
  readonly edges: readonly LogRange[]
}

/** Returns the whole hours of a range, and what is left of it at both ends. */
export function splitRange({ from = 0, to = endOfTime - 1 }: LogFilter): SplitRange {
  const firstHour = Math.ceil(from / hourSeconds) * hourSeconds
  const afterLast = Math.floor((Math.min(to, endOfTime - 1) + 1) / hourSeconds) * hourSeconds
  if (firstHour >= afterLast) return { hours: null, edges: [{ from, to }] }
  const edges: LogRange[] = [
    { from, to: firstHour - 1 },
    { from: afterLast, to },
  ]
  return { hours: { from: firstHour, before: afterLast }, edges: edges.filter((edge) => edge.from <= edge.to) }
}
