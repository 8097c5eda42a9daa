import type { dashboardRoutes } from '@tollgate/contract'

import type { UsageFilter } from '../../store/usage-conditions'
import type { Books } from '../../analytics/folds'
import type { Folds } from '../../analytics/fold-reach'
import { thirdsWithin, turned, type Pair } from '../../analytics/pairs'
import { isOfThirds, pairSum, pairSumsByKey, pairSumsByKeyAndTime, pairSumsByTime } from '../../analytics/read-pairs'
import { dimensionOf, foldedUntil, sumsByTime } from '../../analytics/read-sums'
import {
  addSums,
  columns,
  keyOf,
  rollupSums,
  rollupTotal,
  type BucketSums,
  type RollupsAsked,
  type Sums,
} from './rollup-sums'
import type { Span } from './span'

/** A span as far as the sums of a pair answer it, and what is left of it at both ends. */
interface Split {
  readonly hours: Span
  readonly rests: readonly Span[]
}

function splitFor(folds: Folds, pair: Pair, span: Span): Split | undefined {
  const hours = thirdsWithin({ from: span.from, before: Math.min(span.before, folds.until(pair.number)) })
  if (!hours) return undefined
  const rests = [
    { from: span.from, before: hours.from },
    { from: hours.before, before: span.before },
  ]
  return { hours, rests: rests.filter(({ from, before }) => from < before) }
}

/**
 * The sums by series and those by part of time, within a filter on another column than that of the series. Where thirds of
 * days do not tell the parts of time, the hourly sums must be read for series over time, and say all of it at once.
 */
export async function* pairOverview(books: Books, pair: Pair, asked: RollupsAsked): AsyncGenerator<readonly Sums[]> {
  const { filter, grouping, buckets, span } = asked
  const split = isOfThirds(buckets) ? splitFor(books.folds, pair, span) : undefined
  if (!split) {
    yield* rollupSums(books.query, asked)
    return
  }
  const { hours, rests } = split
  const found = await pairSumsByKey(books, { pair, filter, hours, series: columns[grouping] })
  if (found.length <= fewSeries) yield await ofBoth(books, pair, asked, hours)
  else {
    yield found.map(({ key, ...sums }) => ({ ...sums, key: keyOf(grouping, key) }))
    const overTime = dimensionOf(filter)
    const isKnown = overTime && foldedUntil(books.folds, overTime) >= hours.before
    if (isKnown) yield asParts(await sumsByTime(books, { dimension: overTime, filter, hours }, buckets))
    else yield asParts(await pairSumsByTime(books, { pair, filter, hours }, buckets))
  }
  for (const rest of rests) yield* rollupSums(books.query, { ...asked, span: rest })
}

/** With so few, all are shown: their sums over time are those of all. */
const fewSeries = 8

async function ofBoth(
  books: Books,
  pair: Pair,
  { filter, grouping, buckets, keys }: RollupsAsked,
  hours: Span,
): Promise<BucketSums[]> {
  const asked = { pair, filter, hours, series: columns[grouping], ...(keys && { keys }) }
  const found = await pairSumsByKeyAndTime(books, asked, buckets)
  return found.map(({ key, part, ...sums }) => ({ ...sums, key: keyOf(grouping, key), bucket: part }))
}

/** Sums of parts of time, as a chart reads them. */
export const asParts = (found: readonly (dashboardRoutes.DashboardTotals & { part: number })[]): Sums[] =>
  found.map(({ part, ...sums }) => ({ ...sums, bucket: part }))

/** The sums of some series in each part of time, from rows that stand by series where there are such. */
export async function* pairSumsOverTime(
  books: Books,
  pair: Pair,
  asked: RollupsAsked,
): AsyncGenerator<readonly BucketSums[]> {
  const { buckets, span } = asked
  const bySeries = turned(pair) ?? pair
  const split = isOfThirds(buckets) ? splitFor(books.folds, bySeries, span) : undefined
  if (!split) {
    yield* rollupSums(books.query, asked)
    return
  }
  const { hours, rests } = split
  yield await ofBoth(books, bySeries, asked, hours)
  for (const rest of rests) yield* rollupSums(books.query, { ...asked, span: rest })
}

/** The sums of the whole span. */
export async function pairTotal(
  books: Books,
  pair: Pair,
  filter: UsageFilter,
  span: Span,
): Promise<dashboardRoutes.DashboardTotals> {
  const split = splitFor(books.folds, pair, span)
  if (!split) return rollupTotal(books.query, filter, span)
  const { hours, rests } = split
  let total: dashboardRoutes.DashboardTotals = await pairSum(books, { pair, filter, hours })
  for (const rest of rests) total = addSums(total, await rollupTotal(books.query, filter, rest))
  return total
}
