import { setImmediate } from 'node:timers/promises'

import type { dashboardRoutes } from '@tollgate/contract'

import type { UsageFilter } from '../../store/usage-conditions'
import { dimensions, filteredBy, type DimensionName } from '../../analytics/dimensions'
import type { Books } from '../../analytics/folds'
import type { Folds } from '../../analytics/fold-reach'
import { longNumber } from '../../analytics/long-sums'
import { largestUsers } from '../../analytics/largest'
import { pairOf } from '../../analytics/pairs'
import { dimensionOf, foldedUntil, sumOfAll, sumsByKey, sumsByKeyAndTime, sumsByTime } from '../../analytics/read-sums'
import { packedColumnOf } from '../../analytics/user-packs'
import { packOverview, packSumsOverTime } from './pack-sums'
import { asParts, pairOverview, pairSumsOverTime, pairTotal } from './pair-sums'
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
import { daySeconds, folded, partsOf, unfolded, type Span } from './span'

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
export async function* overviewSums(books: Books, asked: OverviewAsked): AsyncGenerator<readonly Sums[]> {
  const { filter, grouping, buckets, span } = asked
  const pair = pairOf(filter, columns[grouping])
  if (pair) {
    yield* pairOverview(books, pair, asked)
    return
  }
  const packed = grouping === 'user' ? packedColumnOf(filter) : undefined
  if (packed) {
    yield* packOverview(books, packed, asked)
    return
  }
  const dimension = dimensionOf(filter, columns[grouping])
  const overTime = dimensionOf(filter)
  const until = dimension && overTime ? untilOf(books, [dimension, overTime]) : 0
  if (dimension && overTime && until > span.from) {
    const keys = await largestKeys(books, asked, until)
    for (const hours of partsOf(folded(span, until), keys ? Infinity : partLength(books.folds, dimension))) {
      const found = await sumsByKey(books, { dimension, filter, hours, keys })
      yield found.map(({ key, ...sums }) => ({ ...sums, key: keyOf(grouping, key) }))
      await setImmediate()
    }
    const parts = { dimension: overTime, filter, hours: folded(span, until) }
    yield asParts(await sumsByTime(books, parts, buckets))
  }
  yield* rollupSums(books.query, { ...asked, span: unfolded(span, until) })
}

/** Users are too many to add them all up; undefined where that must be, or is no matter. */
async function largestKeys(books: Books, asked: OverviewAsked, until: number): Promise<string[] | undefined> {
  const { filter, grouping, span, most } = asked
  const rest = unfolded(span, until)
  if (grouping !== 'user' || filteredBy(filter).length > 0 || rest.before - rest.from > daySeconds) return undefined
  const known = new Map<string, number>()
  for await (const found of rollupSums(books.query, { ...asked, span: rest })) {
    for (const { key, quota } of found) known.set(String(key), (known.get(String(key)) ?? 0) + quota)
  }
  const keys = await largestUsers(books.query, folded(span, until), known, most)
  return keys?.length === 0 ? undefined : keys
}

/** The sums of series in each part of time. */
export async function* sumsOverTime(books: Books, asked: RollupsAsked): AsyncGenerator<readonly BucketSums[]> {
  const { filter, grouping, span, buckets, keys } = asked
  const pair = pairOf(filter, columns[grouping])
  if (pair) {
    yield* pairSumsOverTime(books, pair, asked)
    return
  }
  const packed = grouping === 'user' ? packedColumnOf(filter) : undefined
  if (packed) {
    yield* packSumsOverTime(books, packed, asked)
    return
  }
  const dimension = dimensionOf(filter, columns[grouping])
  const until = dimension ? untilOf(books, [dimension]) : 0
  if (dimension && until > span.from) {
    const found = await sumsByKeyAndTime(books, { dimension, filter, hours: folded(span, until), keys }, buckets)
    yield found.map(({ key, part, ...sums }) => ({ ...sums, key: keyOf(grouping, key), bucket: part }))
  }
  yield* rollupSums(books.query, { ...asked, span: unfolded(span, until) })
}

/** The sums of the whole span. */
export async function totalOf(books: Books, filter: UsageFilter, span: Span): Promise<Totals> {
  const pair = pairOf(filter)
  if (pair) return pairTotal(books, pair, filter, span)
  const dimension = dimensionOf(filter)
  const until = dimension ? untilOf(books, [dimension]) : 0
  const rest = await rollupTotal(books.query, filter, unfolded(span, until))
  if (!dimension || until <= span.from) return rest
  return addSums(rest, await sumOfAll(books, { dimension, filter, hours: folded(span, until) }))
}

const untilOf = ({ folds }: Books, among: readonly DimensionName[]): number =>
  Math.min(...among.map((dimension) => foldedUntil(folds, dimension)))

/** Rows are few once there are weeks. Of users there are none, and they are many. */
function partLength(folds: Folds, dimension: DimensionName): number {
  if (folds.until(longNumber(dimensions[dimension])) > 0) return Infinity
  return (dimension === 'user_id' ? 4 : 40) * daySeconds
}
