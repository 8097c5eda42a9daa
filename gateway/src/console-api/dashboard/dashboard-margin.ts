import type { dashboardRoutes } from '@tollgate/contract'

import { readMargins, type SumsQuery } from '../../billing/analytics/query'
import type { SumProgress } from '../../billing/analytics/rollups'
import { spanBefore, type ChartQuery } from './chart-query'
import { columns } from './series-names'

type Margin = dashboardRoutes.Margin

interface FoundMargin {
  readonly overview: dashboardRoutes.MarginOverview
  readonly ofSeries: (key: string) => Margin
  readonly ofRest: Margin
}

/** Resolves with what the calls of a span brought and what vendors charge for them: in total, over time and by series. */
export async function dashboardMargin(
  progress: SumProgress,
  { filter, span, grouping, buckets, keys }: ChartQuery & { readonly keys: readonly string[] },
): Promise<FoundMargin> {
  const column = columns[grouping]
  const [byPart, before, byKey] = await Promise.all([
    marginsBy('part', progress, { filter, hours: span, parts: buckets }),
    marginsBy('part', progress, { filter, hours: spanBefore(span) }),
    keys.length > 0 ? marginsBy('key', progress, { filter, hours: span, column, keys }) : noMargins,
  ])
  const totals = [...byPart.values()].reduce(addMargins, noMargin)
  const seriesTotal = [...byKey.values()].reduce(addMargins, noMargin)
  const times = buckets.times.map((_, index) => byPart.get(buckets.first + index) ?? noMargin)
  return {
    overview: {
      totals,
      previous: before.get(0) ?? noMargin,
      by_time: { sold: times.map(({ sold }) => sold), cost: times.map(({ cost }) => cost) },
    },
    ofSeries: (key) => byKey.get(key) ?? noMargin,
    // A call that arrived between the two reads must not make it negative.
    ofRest: {
      sold: Math.max(0, totals.sold - seriesTotal.sold),
      cost: Math.max(0, totals.cost - seriesTotal.cost),
      saved: Math.max(0, totals.saved - seriesTotal.saved),
    },
  }
}

const noMargin: Margin = { sold: 0, cost: 0, saved: 0 }
const noMargins: ReadonlyMap<string | number, Margin> = new Map()

const addMargins = (one: Margin, other: Margin): Margin => ({
  sold: one.sold + other.sold,
  cost: one.cost + other.cost,
  saved: one.saved + other.saved,
})

async function marginsBy(name: 'key' | 'part', progress: SumProgress, sumsQuery: SumsQuery) {
  const margins = new Map<string | number, Margin>()
  for await (const found of readMargins(progress, sumsQuery)) {
    for (const { [name]: at, sold, vendor_cost: cost, cost_saved: saved } of found)
      margins.set(at, addMargins(margins.get(at) ?? noMargin, { sold, cost, saved }))
  }
  return margins
}
