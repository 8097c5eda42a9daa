import type { dashboardRoutes } from '@tollgate/contract'

import type { Queries } from '../../store/database'
import type { UsageFilter } from '../../store/usage-conditions'
import type { DimensionName } from '../../usage-sums/dimensions'
import { pairOf, pairOfOne, thirdsWithin, type Pair } from '../../usage-sums/pairs'
import {
  isOfThirds,
  pairSum,
  pairSumsByKey,
  pairSumsByKeyAndTime,
  pairSumsByTime,
  pairSumsOfOnes,
  pairUntil,
} from '../../usage-sums/read-pairs'
import { dimensionOf, foldedUntil, isOfDays, sumsByKeyAndTime, sumsByTime } from '../../usage-sums/read-sums'
import { addSums, keyOf, rollupSums, rollupTotal, type BucketSums, type RollupsAsked, type Sums } from './rollup-sums'
import type { Span } from './span'

/** A span as far as the sums of a pair answer it, and what is left of it at both ends. */
interface Split {
  readonly hours: Span
  readonly rests: readonly Span[]
}

async function splitFor(query: Queries, pair: Pair, span: Span): Promise<Split | undefined> {
  const until = await pairUntil(query, pair)
  const hours = thirdsWithin({ from: span.from, before: Math.min(span.before, until) })
  if (!hours) return undefined
  const rests = [
    { from: span.from, before: hours.from },
    { from: hours.before, before: span.before },
  ]
  return { hours, rests: rests.filter(({ from, before }) => from < before) }
}

/** The sums by series and those by part of time, within a filter on another column than that of the series. */
export async function* pairOverview(query: Queries, pair: Pair, asked: RollupsAsked): AsyncGenerator<Sums[]> {
  const { filter, grouping, buckets, span } = asked
  const split = await splitFor(query, pair, span)
  const overTime = dimensionOf(filter)
  const isKnown = split && overTime && (await foldedUntil(query, overTime)) >= split.hours.before
  if (!split || (!isKnown && !isOfThirds(buckets))) {
    yield* rollupSums(query, asked)
    return
  }
  const { hours, rests } = split
  const found = await pairSumsByKey(query, { pair, filter, hours })
  if (found.length <= fewSeries && isOfThirds(buckets)) yield* ofBoth(query, pair, asked, hours)
  else {
    yield found.map(({ key, ...sums }) => ({ ...sums, key: keyOf(grouping, key) }))
    if (isKnown) yield* sumsOfParts(query, { filter, buckets, span: hours }, overTime)
    else yield asParts(await pairSumsByTime(query, { pair, filter, hours }, buckets))
  }
  for (const rest of rests) yield* rollupSums(query, { ...asked, span: rest })
}

/** With so few, all are shown: their sums over time are those of all. */
const fewSeries = 8

async function* ofBoth(
  query: Queries,
  pair: Pair,
  { filter, grouping, buckets, keys }: RollupsAsked,
  hours: Span,
): AsyncGenerator<BucketSums[]> {
  const found = await pairSumsByKeyAndTime(query, { pair, filter, hours, keys }, buckets)
  yield found.map(({ key, part, ...sums }) => ({ ...sums, key: keyOf(grouping, key), bucket: part }))
}

/** The sums of each part of time of hours that are added up by the only column of a filter, from the fewest rows. */
export async function* sumsOfParts(
  query: Queries,
  { filter, buckets, span }: Pick<RollupsAsked, 'filter' | 'buckets' | 'span'>,
  dimension: DimensionName,
): AsyncGenerator<Sums[]> {
  const pair = isOfDays(buckets) || !isOfThirds(buckets) ? undefined : pairOf(filter, 'group')
  const split = pair && filter.modelNames && (await splitFor(query, pair, span))
  if (!pair || !split) {
    yield asParts(await sumsByTime(query, { dimension, filter, hours: span }, buckets))
    return
  }
  yield asParts(await pairSumsByTime(query, { pair, filter, hours: split.hours }, buckets))
  for (const hours of split.rests) yield asParts(await sumsByTime(query, { dimension, filter, hours }, buckets))
}

const asParts = (found: readonly (dashboardRoutes.DashboardTotals & { part: number })[]): Sums[] =>
  found.map(({ part, ...sums }) => ({ ...sums, bucket: part }))

/** The sums of series in each part of time. */
export async function* pairSumsOverTime(query: Queries, pair: Pair, asked: RollupsAsked): AsyncGenerator<BucketSums[]> {
  const { buckets, span } = asked
  const split = isOfThirds(buckets) ? await splitFor(query, pair, span) : undefined
  if (!split) {
    yield* rollupSums(query, asked)
    return
  }
  const { hours, rests } = split
  yield* ofBoth(query, pair, asked, hours)
  for (const rest of rests) yield* rollupSums(query, { ...asked, span: rest })
}

/** The same of hours that are added up by the column of the series: from thirds of days where those tell, as they are fewer. */
export async function* columnSumsOverTime(
  query: Queries,
  dimension: DimensionName,
  { filter, grouping, buckets, span, keys }: RollupsAsked,
): AsyncGenerator<BucketSums[]> {
  const pair = keys && isOfThirds(buckets) && !isOfDays(buckets) ? pairOfOne(dimension) : undefined
  const split = pair && (await splitFor(query, pair, span))
  const asSeries = (found: readonly (dashboardRoutes.DashboardTotals & { key: string; part: number })[]) =>
    found.map(({ key, part, ...sums }): BucketSums => ({ ...sums, key: keyOf(grouping, key), bucket: part }))
  if (pair && split && keys)
    yield asSeries(await pairSumsOfOnes(query, { pair, filter, hours: split.hours, keys }, buckets))
  for (const hours of split?.rests ?? [span]) {
    yield asSeries(await sumsByKeyAndTime(query, { dimension, filter, hours, keys }, buckets))
  }
}

/** The sums of the whole span. */
export async function pairTotal(
  query: Queries,
  pair: Pair,
  filter: UsageFilter,
  span: Span,
): Promise<dashboardRoutes.DashboardTotals> {
  const split = await splitFor(query, pair, span)
  if (!split) return rollupTotal(query, filter, span)
  const { hours, rests } = split
  let total: dashboardRoutes.DashboardTotals = await pairSum(query, { pair, filter, hours })
  for (const rest of rests) total = addSums(total, await rollupTotal(query, filter, rest))
  return total
}
