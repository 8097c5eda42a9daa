import type { CsvCell, dashboardRoutes } from '@tollgate/contract'

import { formatDecimal } from '../../lib/text/format'

type Data = dashboardRoutes.DashboardData
type Series = dashboardRoutes.DashboardSeries
type NameOf = (series: Pick<Series, 'name' | 'is_other'>) => string

const utc = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString().replace('.000', '')
const dollars = (quota: number, quotaPerUnit: number) => Number(formatDecimal(quota / quotaPerUnit, 9))

/** Returns a row for each time and a column for each series of the chart. */
export function overTimeTable(
  { times, series }: Data,
  metric: 'quota' | 'count' | 'tokens',
  nameOf: NameOf,
  quotaPerUnit: number,
): CsvCell[][] {
  const amount = (value = 0) => (metric === 'quota' ? dollars(value, quotaPerUnit) : value)
  return [
    ['time_utc', ...series.map(nameOf)],
    ...times.map((time, index) => [utc(time), ...series.map((one) => amount(one.by_time[metric][index]))]),
  ]
}

/** Returns a row for each series with all its figures. */
export const breakdownTable = ({ series }: Data, by: string, nameOf: NameOf, quotaPerUnit: number): CsvCell[][] => [
  [
    by,
    'requests',
    'failed_attempts',
    'tokens',
    'spend_usd',
    'first_token_p50_ms',
    'first_token_p95_ms',
    'whole_p50_ms',
    'whole_p95_ms',
    'tokens_per_second',
    'cached_tokens',
    'cache_saved_usd',
    'known_cost_spend_usd',
    'vendor_cost_usd',
  ],
  ...series.map((one) => [
    nameOf(one),
    one.count,
    one.errors,
    one.tokens,
    dollars(one.quota, quotaPerUnit),
    ...measureCells(one.measures, quotaPerUnit),
    one.margin ? dollars(one.margin.sold, quotaPerUnit) : null,
    one.margin ? dollars(one.margin.cost, quotaPerUnit) : null,
  ]),
]

function measureCells(measures: Series['measures'], quotaPerUnit: number): CsvCell[] {
  if (!measures) return Array.from({ length: 7 }, () => null)
  const { first_token_ms: first, whole_ms: whole } = measures
  return [
    first?.p50 ?? null,
    first?.p95 ?? null,
    whole?.p50 ?? null,
    whole?.p95 ?? null,
    measures.tokens_per_second,
    measures.cached_tokens,
    dollars(measures.cache_saved, quotaPerUnit),
  ]
}

/** Returns a row for each time with its percentiles and cache figures. */
export function measuresTable(
  times: readonly number[],
  { by_time: byTime }: Pick<dashboardRoutes.MeasuresOverview, 'by_time'>,
  quotaPerUnit: number,
): CsvCell[][] {
  const names = Object.keys(byTime) as (keyof typeof byTime)[]
  return [
    ['time_utc', ...names.map(columnOf)],
    ...times.map((time, index) => [
      utc(time),
      ...names.map((name) => {
        const value = byTime[name][index] ?? null
        return name === 'cache_saved' && value !== null ? dollars(value, quotaPerUnit) : value
      }),
    ]),
  ]
}

const columnOf = (name: string): string => {
  if (name === 'cache_saved') return 'cache_saved_usd'
  return /_p\d+$/.test(name) ? `${name}_ms` : name
}
