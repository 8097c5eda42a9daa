import type { dashboardRoutes } from '@tollgate/contract'

import { readSumProgress, type SumProgress } from '../../billing/analytics/rollups'
import { addFigures, dimensionOf, noFigures, readSums, totalOf, type Sum } from '../../billing/analytics/query'
import { rankTop, readTopRanked } from '../../billing/analytics/ranking'
import type { Queries } from '../../platform/store/database'
import { withModelNames } from '../../platform/store/model-names'
import { bucketsOf, spanBefore, type ChartQuery, type ConsumptionQuery } from './chart-query'
import { dashboardMargin } from './dashboard-margin'
import { dashboardMeasures } from './dashboard-measures'
import { columns, nameSeries } from './series-names'

type Totals = dashboardRoutes.DashboardTotals
type Series = dashboardRoutes.DashboardSeries

/**
 * Resolves with what was consumed in a span, over time and by series. Queries on one column are answered from three small sums: by series,
 * by bucket of time, and by both for the largest series. Others read the hourly rollups once, and again for the largest series where all
 * of them over time would take too much memory.
 */
export async function consumption(
  query: Queries,
  consumptionQuery: ConsumptionQuery,
): Promise<dashboardRoutes.DashboardData> {
  const { span, grouping } = consumptionQuery
  const [progress, filter] = await Promise.all([readSumProgress(query), withModelNames(query, consumptionQuery.filter)])
  const chart = {
    filter,
    span,
    grouping,
    buckets: bucketsOf(span, consumptionQuery.granularity, consumptionQuery.utcOffset),
  }
  const [previous, overview] = await Promise.all([
    totalOf(progress, { filter, hours: spanBefore(span) }),
    readOverview(progress, chart, consumptionQuery.limit),
  ])
  const { topTotals } = overview
  const keys = topTotals.map(([key]) => key)
  const names = await nameSeries(query, grouping, keys)
  const byTime = overview.seriesByTime ?? (await readByTime(progress, chart, keys))
  const measures = consumptionQuery.hasMeasures ? await dashboardMeasures(query, { ...chart, keys }) : undefined
  const margin = consumptionQuery.hasMargin ? await dashboardMargin(progress, { ...chart, keys }) : undefined
  const series = topTotals.map(([key, totals]): Series => ({
    ...names(key),
    is_other: false,
    ...seriesSums(totals),
    by_time: byTime.get(key) ?? emptyTimes(chart),
    ...(measures && { measures: measures.ofSeries(key) }),
    ...(margin && { margin: margin.ofSeries(key) }),
  }))
  const rest = { ...theRest(overview, series), ...(margin && { margin: margin.ofRest }) }
  return {
    totals: overview.totals,
    previous,
    times: [...chart.buckets.times],
    totals_by_time: overview.byTime,
    series: rest.count + rest.errors > 0 ? [...series, rest] : series,
    ...(measures && { measures: measures.overview }),
    ...(margin && { margin: margin.overview }),
  }
}

interface Overview {
  readonly totals: Totals
  /** The largest series. */
  readonly topTotals: readonly (readonly [key: string, totals: Totals])[]
  readonly byTime: dashboardRoutes.DashboardData['totals_by_time']
  /** Null where it is to be read for the largest series only. */
  readonly seriesByTime: ReadonlyMap<string, Times> | null
}

/** Figures over time that are kept in memory for one chart. */
const maxFigures = 100_000

async function readOverview(progress: SumProgress, chart: ChartQuery, limit: number): Promise<Overview> {
  const { filter, span: hours, grouping, buckets } = chart
  const column = columns[grouping]
  const byKey = new Map<string, Totals>()
  const byTime = { ...emptyTimes(chart), errors: zeros(chart) }
  let totals: Totals = noFigures
  const addKey = (sum: Sum) => byKey.set(sum.key, addFigures(byKey.get(sum.key) ?? noFigures, sum))
  const addPart = (sum: Sum) => {
    const index = sum.part - buckets.first
    totals = addFigures(totals, sum)
    addAt(byTime, index, sum)
    byTime.errors[index] = (byTime.errors[index] ?? 0) + sum.errors
  }
  if (dimensionOf(filter, column)) {
    for await (const found of readSums(progress, { filter, hours, parts: buckets }))
      for (const sum of found) addPart(sum)
    const topTotals = await readTopRanked(progress, { filter, hours, column }, { quota: totals.quota, limit })
    return { totals, topTotals, byTime, seriesByTime: null }
  }
  let seriesByTime: Map<string, Times> | null = new Map()
  for await (const found of readSums(progress, { filter, hours, column, parts: buckets })) {
    for (const sum of found) {
      addKey(sum)
      addPart(sum)
      if (byKey.size * buckets.times.length * 3 > maxFigures) seriesByTime = null
      if (seriesByTime) addAt(timesOf(seriesByTime, sum.key, chart), sum.part - buckets.first, sum)
    }
  }
  return { totals, topTotals: rankTop(byKey, limit), byTime, seriesByTime }
}

type Times = Series['by_time']

async function readByTime(
  progress: SumProgress,
  chart: ChartQuery,
  keys: readonly string[],
): Promise<Map<string, Times>> {
  const { filter, span: hours, grouping, buckets } = chart
  const byTime = new Map<string, Times>()
  if (keys.length === 0) return byTime
  for await (const found of readSums(progress, { filter, hours, column: columns[grouping], keys, parts: buckets })) {
    for (const sum of found) addAt(timesOf(byTime, sum.key, chart), sum.part - buckets.first, sum)
  }
  return byTime
}

function timesOf(byTime: Map<string, Times>, key: string, chart: ChartQuery): Times {
  const times = byTime.get(key) ?? emptyTimes(chart)
  byTime.set(key, times)
  return times
}

const zeros = ({ buckets }: ChartQuery) => buckets.times.map(() => 0)
const emptyTimes = (chart: ChartQuery): Times => ({
  count: zeros(chart),
  quota: zeros(chart),
  tokens: zeros(chart),
})

function addAt(times: Times, index: number, sums: Totals) {
  times.count[index] = (times.count[index] ?? 0) + sums.count
  times.quota[index] = (times.quota[index] ?? 0) + sums.quota
  times.tokens[index] = (times.tokens[index] ?? 0) + tokensOf(sums)
}

const tokensOf = (sums: Totals) => sums.prompt_tokens + sums.completion_tokens

const seriesSums = (sums: Totals) => ({
  count: sums.count,
  errors: sums.errors,
  quota: sums.quota,
  tokens: tokensOf(sums),
})

/** Returns the total without the series kept. A call that arrived between the two reads must not make it negative. */
function theRest({ totals, byTime }: Overview, topSeries: readonly Series[]): Series {
  const remainderOf = (whole: number, part: (series: Series) => number) =>
    Math.max(
      0,
      topSeries.reduce((rest, series) => rest - part(series), whole),
    )
  const overTime = (name: keyof Times) =>
    byTime[name].map((whole, index) => remainderOf(whole, (series) => series.by_time[name][index] ?? 0))
  return {
    id: null,
    name: '',
    is_other: true,
    count: remainderOf(totals.count, ({ count }) => count),
    errors: remainderOf(totals.errors, ({ errors }) => errors),
    quota: remainderOf(totals.quota, ({ quota }) => quota),
    tokens: remainderOf(tokensOf(totals), ({ tokens }) => tokens),
    by_time: { count: overTime('count'), quota: overTime('quota'), tokens: overTime('tokens') },
  }
}
