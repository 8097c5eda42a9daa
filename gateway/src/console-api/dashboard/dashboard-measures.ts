import type { dashboardRoutes } from '@tollgate/contract'

import type { Queries } from '../../platform/store/database'
import type { Histogram } from '../../billing/analytics/measures/histogram'
import { Measures } from '../../billing/analytics/measures/measures'
import { readMeasures } from '../../billing/analytics/measures/read-measures'
import { spanBefore, type ChartQuery } from './chart-query'
import { columns } from './series-names'

export interface FoundMeasures {
  /** Null where they are not kept within the filter. */
  readonly overview: dashboardRoutes.MeasuresOverview | null
  readonly ofSeries: (key: string) => dashboardRoutes.DashboardMeasures | null
}

/** Resolves with how fast the calls of a span were, what caches saved in it and why attempts failed: in total, over time and by series. */
export async function dashboardMeasures(
  query: Queries,
  { filter, span, grouping, buckets, keys }: ChartQuery & { readonly keys: readonly string[] },
): Promise<FoundMeasures> {
  const series = { column: columns[grouping], keys }
  const [found, previous] = await Promise.all([
    readMeasures(query, { filter, hours: span, parts: buckets, series }),
    readMeasures(query, { filter, hours: spanBefore(span) }),
  ])
  if (!found) return { overview: null, ofSeries: () => null }
  const times = buckets.times.map((_, index) => found.byPart.get(buckets.first + index) ?? emptyMeasures)
  return {
    overview: {
      totals: reportMeasures(found.total),
      previous: reportMeasures(previous?.total ?? emptyMeasures),
      by_time: {
        first_token_p50: times.map(({ firstToken }) => firstToken.percentile(0.5)),
        first_token_p95: times.map(({ firstToken }) => firstToken.percentile(0.95)),
        whole_p50: times.map(({ whole }) => whole.percentile(0.5)),
        whole_p95: times.map(({ whole }) => whole.percentile(0.95)),
        tokens_per_second: times.map(tokensPerSecond),
        prompt_tokens: times.map(({ promptTokens }) => promptTokens),
        cached_tokens: times.map(({ cachedTokens }) => cachedTokens),
        cache_saved: times.map(({ cacheSaved }) => cacheSaved),
      },
      errors: [...found.total.errors]
        .map(([code, count]) => ({ code, count }))
        .toSorted((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1)),
    },
    ofSeries: (key) => (found.bySeries ? reportMeasures(found.bySeries.get(key) ?? emptyMeasures) : null),
  }
}

const emptyMeasures = new Measures()

const reportMeasures = (measures: Measures): dashboardRoutes.DashboardMeasures => ({
  calls: measures.calls,
  prompt_tokens: measures.promptTokens,
  cached_tokens: measures.cachedTokens,
  cache_saved: measures.cacheSaved,
  tokens_per_second: tokensPerSecond(measures),
  first_token_ms: percentiles(measures.firstToken),
  whole_ms: percentiles(measures.whole),
})

function percentiles(times: Histogram): dashboardRoutes.Percentiles | null {
  const [p50, p95] = [times.percentile(0.5), times.percentile(0.95)]
  return p50 === null || p95 === null ? null : { p50, p95 }
}

const tokensPerSecond = ({ completionTokens, outputMs }: Measures): number | null =>
  outputMs === 0 ? null : Math.round((completionTokens / outputMs) * 10_000) / 10
