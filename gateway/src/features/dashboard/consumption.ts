import type { dashboardRoutes } from '@tollgate/contract'

import type { Queries } from '../../store/database'
import { withModelNames } from '../../store/model-names'
import type { UsageFilter } from '../../store/usage-conditions'
import { openBooks, type Books } from '../../analytics/folds'
import { bucketsOf, type Buckets } from './buckets'
import { dashboardMeasures } from './dashboard-measures'
import { addSums, noSums, nothingKnown, type RollupsAsked, type SeriesKey } from './rollup-sums'
import { nameSeries } from './series-names'
import { spanBefore, type Span } from './span'
import { overviewSums, sumsOverTime, totalOf, type OverviewAsked } from './usage-sums'

type Totals = dashboardRoutes.DashboardTotals
type Series = dashboardRoutes.DashboardSeries

export interface ConsumptionAsked {
  readonly filter: UsageFilter
  readonly span: Span
  readonly granularity: dashboardRoutes.Granularity
  readonly utcOffset: number
  readonly grouping: dashboardRoutes.Grouping
  /** Series kept. */
  readonly limit: number
  readonly hasMeasures?: boolean
}

/**
 * What was consumed in a span, over time and by series. The sums are read twice: once for what is largest and for
 * all together, once for the largest over time, so that memory does not grow with the number of models or users. Where they
 * are few, or come by series and time at once, once is enough.
 */
export async function consumption(query: Queries, asked: ConsumptionAsked): Promise<dashboardRoutes.DashboardData> {
  const { span, grouping } = asked
  const [books, filter] = await Promise.all([openBooks(query), withModelNames(query, asked.filter)])
  const buckets = bucketsOf(span, asked.granularity, asked.utcOffset)
  const rollups = { filter, span, grouping, buckets, known: nothingKnown() }
  const [previous, overview] = await Promise.all([
    totalOf(books, filter, spanBefore(span)),
    readOverview(books, { ...rollups, most: asked.limit + 1 }),
  ])
  const kept = largest(overview.byKey, asked.limit)
  const names = await nameSeries(
    query,
    grouping,
    kept.map(([key]) => key),
  )
  const byTime = overview.seriesByTime ?? (await readByTime(books, { ...rollups, keys: kept.map(([key]) => key) }))
  const measures = asked.hasMeasures
    ? await dashboardMeasures(query, { ...rollups, keys: kept.map(([key]) => key) })
    : undefined
  const series = kept.map(([key, totals]): Series => ({
    ...names(key),
    is_other: false,
    ...seriesSums(totals),
    by_time: byTime.get(key) ?? emptyTimes(buckets),
    ...(measures && { measures: measures.ofSeries(key) }),
  }))
  const rest = overview.byKey.size > kept.length ? [theRest(overview, series)] : []
  return {
    totals: overview.totals,
    previous,
    times: [...buckets.times],
    totals_by_time: overview.byTime,
    series: [...series, ...rest],
    ...(measures && { measures: measures.overview }),
  }
}

interface Overview {
  readonly totals: Totals
  /** One more than are kept, where there are so many. */
  readonly byKey: ReadonlyMap<SeriesKey, Totals>
  readonly byTime: dashboardRoutes.DashboardData['totals_by_time']
  /** Of all series, where that was told and is little. */
  readonly seriesByTime: ReadonlyMap<SeriesKey, Times> | null
}

/** Figures over time that are kept in memory for one chart. */
const mostFigures = 100_000

async function readOverview(books: Books, rollups: OverviewAsked): Promise<Overview> {
  let totals = noSums
  const byKey = new Map<SeriesKey, Totals>()
  const byTime = { ...emptyTimes(rollups.buckets), errors: zeros(rollups.buckets) }
  const { times } = rollups.buckets
  let seriesByTime: Map<SeriesKey, Times> | null = new Map()
  for await (const found of overviewSums(books, rollups)) {
    for (const { key, bucket, ...sums } of found) {
      if (key !== undefined) byKey.set(key, addSums(byKey.get(key) ?? noSums, sums))
      if (bucket === undefined || key === undefined) seriesByTime = null
      if (bucket === undefined) continue
      totals = addSums(totals, sums)
      const place = bucket - rollups.buckets.first
      if (seriesByTime && key !== undefined) addAt(timesOf(seriesByTime, key, rollups.buckets), place, sums)
      if ((seriesByTime?.size ?? 0) * times.length * 3 > mostFigures) seriesByTime = null
      addAt(byTime, place, sums)
      byTime.errors[place] = (byTime.errors[place] ?? 0) + sums.errors
    }
  }
  return { totals, byKey, byTime, seriesByTime }
}

type Times = Series['by_time']

async function readByTime(
  books: Books,
  rollups: RollupsAsked & { keys: readonly SeriesKey[] },
): Promise<Map<SeriesKey, Times>> {
  const byTime = new Map<SeriesKey, Times>()
  if (rollups.keys.length === 0) return byTime
  for await (const found of sumsOverTime(books, rollups)) {
    for (const { key, bucket, ...sums } of found) {
      addAt(timesOf(byTime, key, rollups.buckets), bucket - rollups.buckets.first, sums)
    }
  }
  return byTime
}

function timesOf(byTime: Map<SeriesKey, Times>, key: SeriesKey, buckets: Buckets): Times {
  const times = byTime.get(key) ?? emptyTimes(buckets)
  byTime.set(key, times)
  return times
}

const zeros = ({ times }: Buckets) => times.map(() => 0)
const emptyTimes = (buckets: Buckets): Times => ({
  count: zeros(buckets),
  quota: zeros(buckets),
  tokens: zeros(buckets),
})

function addAt(times: Times, place: number, sums: Totals) {
  times.count[place] = (times.count[place] ?? 0) + sums.count
  times.quota[place] = (times.quota[place] ?? 0) + sums.quota
  times.tokens[place] = (times.tokens[place] ?? 0) + tokensOf(sums)
}

const tokensOf = (sums: Totals) => sums.prompt_tokens + sums.completion_tokens

const seriesSums = (sums: Totals) => ({
  count: sums.count,
  errors: sums.errors,
  quota: sums.quota,
  tokens: tokensOf(sums),
})

/** By quota, then calls, then errors; the last comparison only makes the order certain. */
const largest = (byKey: ReadonlyMap<SeriesKey, Totals>, limit: number) =>
  [...byKey]
    .sort(
      ([oneKey, one], [otherKey, other]) =>
        other.quota - one.quota || other.count - one.count || other.errors - one.errors || (oneKey < otherKey ? -1 : 1),
    )
    .slice(0, limit)

/** What the series kept leave of the whole. A call that came between the two readings must not make it negative. */
function theRest({ totals, byTime }: Overview, kept: readonly Series[]): Series {
  const left = (whole: number, part: (series: Series) => number) =>
    Math.max(
      0,
      kept.reduce((rest, series) => rest - part(series), whole),
    )
  const overTime = (name: keyof Times) =>
    byTime[name].map((whole, place) => left(whole, (series) => series.by_time[name][place] ?? 0))
  return {
    id: null,
    name: '',
    is_other: true,
    count: left(totals.count, ({ count }) => count),
    errors: left(totals.errors, ({ errors }) => errors),
    quota: left(totals.quota, ({ quota }) => quota),
    tokens: left(tokensOf(totals), ({ tokens }) => tokens),
    by_time: { count: overTime('count'), quota: overTime('quota'), tokens: overTime('tokens') },
  }
}
