import { setImmediate } from 'node:timers/promises'

import type { dashboardRoutes } from '@tollgate/contract'

import type { Queries } from '../../store/database'
import type { UsageFilter } from '../../store/usage-conditions'
import { filteredBy } from '../../usage-sums/dimensions'
import { largestUsers } from '../../usage-sums/largest'
import { pairOf } from '../../usage-sums/pairs'
import { dimensionOf, foldedUntil, sumOfAll, sumsByKey, type SumsAsked } from '../../usage-sums/read-sums'
import { columnSumsOverTime, pairOverview, pairSumsOverTime, pairTotal, sumsOfParts } from './pair-sums'
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
import { daySeconds, partsOf, type Span } from './span'

type Totals = dashboardRoutes.DashboardTotals

export interface OverviewAsked extends RollupsAsked {
  /** So many of the largest series are sure to be among the answers. */
  readonly most: number
}

/**
 * The sums by series and those by part of time, in lists; either may come in several, or as sums of both at once. By series
 * the largest may come alone, by part of time it is all. Hours that are added up already come from there, the others from
 * the hourly sums.
 */
export async function* overviewSums(query: Queries, asked: OverviewAsked): AsyncGenerator<Sums[]> {
  const { filter, grouping, buckets, span } = asked
  const pair = pairOf(filter, columns[grouping])
  if (pair) {
    yield* pairOverview(query, pair, asked)
    return
  }
  const dimension = dimensionOf(filter, columns[grouping])
  const overTime = dimensionOf(filter)
  const until = dimension && overTime ? await untilOf(query, [dimension, overTime]) : 0
  if (dimension && overTime && until > span.from) {
    const keys = await largestKeys(query, asked, until)
    for (const hours of partsOf(folded(span, until), keys ? Infinity : partLength(grouping))) {
      const found = await sumsByKey(query, { dimension, filter, hours, keys })
      yield found.map(({ key, ...sums }) => ({ ...sums, key: keyOf(grouping, key) }))
      await setImmediate()
    }
    yield* sumsOfParts(query, { filter, buckets, span: folded(span, until) }, overTime)
  }
  yield* rollupSums(query, { ...asked, span: unfolded(span, until) })
}

/** Users are too many to add them all up; undefined where that must be, or is no matter. */
async function largestKeys(query: Queries, asked: OverviewAsked, until: number): Promise<string[] | undefined> {
  const { filter, grouping, span, most } = asked
  const rest = unfolded(span, until)
  if (grouping !== 'user' || filteredBy(filter).length > 0 || rest.before - rest.from > daySeconds) return undefined
  const known = new Map<string, number>()
  for await (const found of rollupSums(query, { ...asked, span: rest })) {
    for (const { key, quota } of found) known.set(String(key), (known.get(String(key)) ?? 0) + quota)
  }
  const keys = await largestUsers(query, folded(span, until), known, most)
  return keys?.length === 0 ? undefined : keys
}

/** The sums of series in each part of time. */
export async function* sumsOverTime(query: Queries, asked: RollupsAsked): AsyncGenerator<BucketSums[]> {
  const { filter, grouping, span } = asked
  const pair = pairOf(filter, columns[grouping])
  if (pair) {
    yield* pairSumsOverTime(query, pair, asked)
    return
  }
  const dimension = dimensionOf(filter, columns[grouping])
  const until = dimension ? await untilOf(query, [dimension]) : 0
  if (dimension && until > span.from) {
    yield* columnSumsOverTime(query, dimension, { ...asked, span: folded(span, until) })
  }
  yield* rollupSums(query, { ...asked, span: unfolded(span, until) })
}

/** The sums of the whole span. */
export async function totalOf(query: Queries, filter: UsageFilter, span: Span): Promise<Totals> {
  const pair = pairOf(filter)
  if (pair) return pairTotal(query, pair, filter, span)
  const dimension = dimensionOf(filter)
  const until = dimension ? await untilOf(query, [dimension]) : 0
  const rest = await rollupTotal(query, filter, unfolded(span, until))
  if (!dimension || until <= span.from) return rest
  return addSums(rest, await sumOfAll(query, { dimension, filter, hours: folded(span, until) }))
}

type Dimension = SumsAsked['dimension']

async function untilOf(query: Queries, among: readonly Dimension[]): Promise<number> {
  const untils = await Promise.all(among.map((dimension) => foldedUntil(query, dimension)))
  return Math.min(...untils)
}

const folded = ({ from, before }: Span, until: number): Span => ({ from, before: Math.min(before, until) })
const unfolded = ({ from, before }: Span, until: number): Span => ({
  from: Math.min(Math.max(from, until), before),
  before,
})

/** Users are many, and all are read to find the largest. */
const partLength = (grouping: dashboardRoutes.Grouping) => (grouping === 'user' ? 4 : 40) * daySeconds
