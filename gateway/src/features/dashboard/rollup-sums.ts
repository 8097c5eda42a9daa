import type { dashboardRoutes } from '@tollgate/contract'
import { sql, type ExpressionBuilder } from 'kysely'

import type { Queries } from '../../store/database'
import type { Tables } from '../../store/tables'
import { usageConditions, type UsageFilter } from '../../store/usage-conditions'
import { filteredBy } from '../../analytics/dimensions'
import type { PacksRead } from '../../analytics/read-packs'
import type { Buckets } from './buckets'
import { inParts } from './in-parts'
import { daySeconds, type Span } from './span'

/** What a series is about: a name, or the id of a channel or user. */
export type SeriesKey = string | number

/** The sums of one series in one part of time. */
export interface BucketSums extends dashboardRoutes.DashboardTotals {
  readonly key: SeriesKey
  readonly bucket: number
}

/** Sums of a series, of a part of time, or of a series in a part of time. */
export type Sums = dashboardRoutes.DashboardTotals & { readonly key?: SeriesKey; readonly bucket?: number }

/** Sums by column have ids as text. */
export const keyOf = (grouping: dashboardRoutes.Grouping, key: string): SeriesKey =>
  grouping === 'channel' || grouping === 'user' ? Number(key) : key

/** Hours summed by one query, at first and at the least. */
const partSeconds = 2 * daySeconds
/** One user's rows are few. */
const ownPartSeconds = 40 * daySeconds

/** The column of each grouping. */
export const columns = {
  model: 'model_name',
  token: 'token_name',
  group: 'group',
  channel: 'channel_id',
  user: 'user_id',
} as const satisfies Record<dashboardRoutes.Grouping, keyof Tables['rollups']>

export interface RollupsAsked {
  readonly filter: UsageFilter
  readonly span: Span
  readonly grouping: dashboardRoutes.Grouping
  readonly buckets: Buckets
  /** These series alone. */
  readonly keys?: readonly SeriesKey[]
  readonly known: Known
}

/** What was read of all series for the same question: of some of them it need not be read again. */
export interface Known {
  /** By the part of the span. */
  readonly sums: Map<string, readonly BucketSums[]>
  readonly packs: PacksRead[]
}

export const nothingKnown = (): Known => ({ sums: new Map(), packs: [] })

/** Seconds: what is kept of longer parts could be much. */
const longestKnown = daySeconds

/** The sums by series and part of time, a list for each few days of the span; one pair may come in several lists. */
export async function* rollupSums(query: Queries, asked: RollupsAsked): AsyncGenerator<readonly BucketSums[]> {
  const { filter, span, keys, known } = asked
  const wanted = keys && new Set(keys)
  const sumsOf = async (part: Span) => {
    const id = `${part.from} ${part.before}`
    const found = known.sums.get(id) ?? (await sumsOfPart(query, asked, part))
    if (!wanted && part.before - part.from <= longestKnown) known.sums.set(id, found)
    return wanted ? found.filter(({ key }) => wanted.has(key)) : found
  }
  yield* inParts(span, partLength(filter), sumsOf)
}

function sumsOfPart(query: Queries, { filter, grouping, buckets, keys }: RollupsAsked, part: Span) {
  const column = columns[grouping]
  const isFiltered = filteredBy(filter).length > 0
  // The index of the user or of another condition is the one to take, not that of the series.
  const byColumn = keys !== undefined && !isFiltered
  // Where time is the only condition its index is the one to take: SQLite would walk that of the users for the order of its groups.
  const key =
    !isFiltered && !keys
      ? sql<SeriesKey>`coalesce(${sql.ref(column)}, ${sql.ref(column)})`
      : sql<SeriesKey>`${sql.ref(column)}`
  return query
    .selectFrom('rollups')
    .where((eb) => eb.and(conditions(eb, filter, part)))
    .$if(byColumn, (found) => found.where(column, 'in', [...(keys ?? [])]))
    .select((eb) => [key.as('key'), bucketOf(buckets).as('bucket'), ...sums(eb)])
    .groupBy([key, 'bucket'])
    .execute()
}

/** The sums of the whole span. */
export async function rollupTotal(
  query: Queries,
  filter: UsageFilter,
  span: Span,
): Promise<dashboardRoutes.DashboardTotals> {
  let total = noSums
  const sumOf = (part: Span) =>
    query
      .selectFrom('rollups')
      .where((eb) => eb.and(conditions(eb, filter, part)))
      .select(sums)
      .executeTakeFirstOrThrow()
  for await (const found of inParts(span, partLength(filter), sumOf)) total = addSums(total, found)
  return total
}

export const noSums: dashboardRoutes.DashboardTotals = {
  count: 0,
  errors: 0,
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  use_time: 0,
}

export const addSums = (
  one: dashboardRoutes.DashboardTotals,
  other: dashboardRoutes.DashboardTotals,
): dashboardRoutes.DashboardTotals => ({
  count: one.count + other.count,
  errors: one.errors + other.errors,
  quota: one.quota + other.quota,
  prompt_tokens: one.prompt_tokens + other.prompt_tokens,
  completion_tokens: one.completion_tokens + other.completion_tokens,
  use_time: one.use_time + other.use_time,
})

type Builder = ExpressionBuilder<Tables, 'rollups'>

const partLength = ({ userId }: UsageFilter) => (userId === undefined ? partSeconds : ownPartSeconds)

const conditions = (eb: Builder, filter: UsageFilter, { from, before }: Span) => [
  ...usageConditions(eb, filter),
  eb('hour', '>=', from),
  eb('hour', '<', before),
]

/** Times are after 1970 by more than any shift, so the division of whole numbers rounds down on both databases. */
const bucketOf = ({ shift, size }: Buckets) => sql<number>`(hour + ${sql.lit(shift)}) / ${sql.lit(size)}`

const sums = (eb: Builder) =>
  [
    sumOf(eb, 'count'),
    sumOf(eb, 'errors'),
    sumOf(eb, 'quota'),
    sumOf(eb, 'prompt_tokens'),
    sumOf(eb, 'completion_tokens'),
    sumOf(eb, 'use_time'),
  ] as const

const sumOf = <Name extends keyof dashboardRoutes.DashboardTotals>(eb: Builder, name: Name) =>
  eb.fn.coalesce(eb.fn.sum<number>(name), eb.lit(0)).as(name)
