import { expressionBuilder, sql, type RawBuilder } from 'kysely'

import type { Queries } from '../../platform/store/database'
import { matchingPattern } from '../../platform/store/like'
import type { Tables } from '../../platform/store/tables'
import { isAmong, usageConditions, type UsageFilter } from '../../platform/store/usage-conditions'
import {
  daysWithin,
  dimensions,
  figures,
  filteredBy,
  hasWholeDays,
  earningFigures,
  marginFigures,
  spans,
  type DimensionName,
  type Hours,
  type SumProgress,
  type TimeBuckets,
} from './rollups'
import { nextTurn } from '../../platform/time/timers'

type Figure = (typeof figures)[number]
export type Figures = Readonly<Record<Figure, number>>
type EarningFigure = (typeof earningFigures)[number]
type AnyFigure = Figure | EarningFigure

export interface SumsQuery {
  /** Patterns of models resolved to their names where they are few, see `store/model-names`. */
  readonly filter: UsageFilter
  readonly hours: Hours
  /** Groups by this column. */
  readonly column?: DimensionName
  /** Only these values of the column. */
  readonly keys?: readonly (string | number)[]
  /** Leaves out sums of an hour or a day below this much quota per second, where sums by one column are read. */
  readonly minQuotaPerSecond?: number
  /** Groups by these buckets of time. */
  readonly parts?: TimeBuckets
}

/** The value of the requested column (ids as text; '' where none was requested), and the bucket of time (0 where none was). */
interface SumKey {
  readonly key: string
  readonly part: number
}
export type Sum = Figures & SumKey
type MarginSum = Readonly<Record<(typeof marginFigures)[number], number>> & SumKey
export type EarningSum = Readonly<Record<EarningFigure, number>> & SumKey

/**
 * Yields the sums in lists; the same value and bucket may occur in several. A query on one column is answered from the sums by that
 * column, as far as they go; other queries, and hours that are not added up, from the hourly rollups.
 */
export const readSums = (progress: SumProgress, sumsQuery: SumsQuery): AsyncGenerator<readonly Sum[]> =>
  readFigures(progress, sumsQuery, figures)

/** The same for what calls were sold for, and what vendors charge for them. */
export const readMargins = (progress: SumProgress, sumsQuery: SumsQuery): AsyncGenerator<readonly MarginSum[]> =>
  readFigures(progress, sumsQuery, marginFigures)

/** The same with what both are compared to: all calls, and the tokens they sent. */
export const readEarnings = (progress: SumProgress, sumsQuery: SumsQuery): AsyncGenerator<readonly EarningSum[]> =>
  readFigures(progress, sumsQuery, earningFigures)

/** What was served with upstream keys; kept by channel and key alone. */
interface KeySumsQuery extends Pick<SumsQuery, 'hours' | 'parts'> {
  readonly channelId?: number | undefined
  /** The fingerprint. */
  readonly upstreamKey?: string | undefined
  /** Groups by key: the channel's id, a colon and the fingerprint. */
  readonly isByKey: boolean
}

/** Yields earnings by upstream key, in lists like the others. */
export async function* readKeyEarnings(query: Queries, keySums: KeySumsQuery): AsyncGenerator<readonly EarningSum[]> {
  const { channelId, upstreamKey, hours, parts, isByKey } = keySums
  const conditions = [
    ...(channelId === undefined ? [] : [sql`channel_id = ${channelId}`]),
    ...(upstreamKey === undefined ? [] : [sql`upstream_key = ${upstreamKey}`]),
  ]
  const key = sql<string>`cast(channel_id as text) || ':' || upstream_key`
  const byHour: Source = { table: 'key_rollups', time: sql`hour`, key, conditions }
  const byDay: Source = { table: 'key_days', time: sql`day`, key, conditions }
  const days = (!parts || hasWholeDays(parts)) && daysWithin(hours)
  const pieces = days
    ? [
        { source: byHour, from: hours.from, before: days.from },
        { source: byDay, ...days },
        { source: byHour, from: days.before, before: hours.before },
      ]
    : [{ source: byHour, ...hours }]
  const question = { parts, names: earningFigures, isByKey }
  for (const { source, ...piece } of pieces) {
    const minLength = source === byDay ? 16 * spans.day : 2 * spans.day
    yield* inParts(piece, minLength, (part) => sumsIn(query, source, question, part))
  }
}

async function* readFigures<Name extends AnyFigure>(
  progress: SumProgress,
  sumsQuery: SumsQuery,
  names: readonly Name[],
): AsyncGenerator<readonly (Record<Name, number> & SumKey)[]> {
  const { filter, column } = sumsQuery
  if (filter.userId === null) return
  const dimension = dimensionOf(filter, column)
  for (const { table, ...hours } of piecesOf(progress, dimension, sumsQuery)) {
    const source = dimension && table !== 'rollups' ? sumsBy(table, dimension, sumsQuery) : rollupsOf(sumsQuery)
    yield* inParts(hours, minPartLength(table, dimension, filter), (part) =>
      sumsIn(progress.query, source, { ...sumsQuery, names, isByKey: column !== undefined }, part),
    )
  }
}

export const noFigures: Figures = {
  count: 0,
  errors: 0,
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  use_time: 0,
}

export const addFigures = (one: Figures, other: Figures): Figures => ({
  count: one.count + other.count,
  errors: one.errors + other.errors,
  quota: one.quota + other.quota,
  prompt_tokens: one.prompt_tokens + other.prompt_tokens,
  completion_tokens: one.completion_tokens + other.completion_tokens,
  use_time: one.use_time + other.use_time,
})

/** Resolves with the total usage. */
export async function totalOf(progress: SumProgress, sumsQuery: Pick<SumsQuery, 'filter' | 'hours'>): Promise<Figures> {
  let total = noFigures
  for await (const found of readSums(progress, sumsQuery)) total = found.reduce(addFigures, total)
  return total
}

/** Resolves with the usage by each value of a column that has any. */
export async function sumsByKey(
  progress: SumProgress,
  sumsQuery: Omit<SumsQuery, 'parts'> & Required<Pick<SumsQuery, 'column'>>,
): Promise<ReadonlyMap<string, Figures>> {
  const sums = new Map<string, Figures>()
  for await (const found of readSums(progress, sumsQuery)) {
    for (const sum of found) sums.set(sum.key, addFigures(sums.get(sum.key) ?? noFigures, sum))
  }
  return sums
}

/** Returns the column whose sums answer a query; undefined when it involves several. */
export function dimensionOf(filter: UsageFilter, grouping?: DimensionName): DimensionName | undefined {
  const columns = new Set(filteredBy(filter))
  if (filter.without) return undefined
  if (grouping) columns.add(grouping)
  // Groups are the fewest.
  const [column = 'group', ...others] = columns
  return others.length > 0 ? undefined : column
}

interface Piece extends Hours {
  readonly table: 'daily_sums' | 'hourly_sums' | 'rollups'
}

function piecesOf(
  { until, stale }: SumProgress,
  dimension: DimensionName | undefined,
  { hours, parts }: SumsQuery,
): Piece[] {
  const { from, before } = hours
  const end = dimension ? Math.max(from, Math.min(before, until(dimension))) : from
  const late = stale.filter((hour) => hour >= from && hour < end)
  const starts = [from, ...late.map((hour) => hour + spans.hour)]
  const pieces = [
    ...starts.flatMap((start, index) => summedPieces({ from: start, before: late[index] ?? end }, parts)),
    ...late.map((hour): Piece => ({ table: 'rollups', from: hour, before: hour + spans.hour })),
    { table: 'rollups', from: end, before } as const,
  ]
  return pieces.filter((piece) => piece.from < piece.before)
}

/** Days where the buckets allow, and hours at both ends. */
function summedPieces(hours: Hours, parts: TimeBuckets | undefined): Piece[] {
  const days = parts && !hasWholeDays(parts) ? undefined : daysWithin(hours)
  if (!days) return [{ table: 'hourly_sums', ...hours }]
  return [
    { table: 'hourly_sums', from: hours.from, before: days.from },
    { table: 'daily_sums', ...days },
    { table: 'hourly_sums', from: days.before, before: hours.before },
  ]
}

/** Returns the seconds that one statement sums at first and at least. The rows of one user are few, those of all users are many. */
function minPartLength(table: Piece['table'], dimension: DimensionName | undefined, { userId }: UsageFilter): number {
  if (userId !== undefined) return 40 * spans.day
  if (table === 'rollups') return 2 * spans.day
  if (dimension === 'user_id') return table === 'daily_sums' ? 8 * spans.day : spans.day / 2
  return table === 'daily_sums' ? 40 * spans.day : 4 * spans.day
}

/** Rows to be added up. */
interface Source {
  readonly table: Piece['table'] | 'key_rollups' | 'key_days'
  /** The column of their time. */
  readonly time: RawBuilder<number>
  /** The value they are grouped by. */
  readonly key: RawBuilder<string>
  readonly conditions: readonly RawBuilder<unknown>[]
}

async function sumsIn<Name extends AnyFigure>(
  query: Queries,
  { table, time, key, conditions }: Source,
  { parts, names, isByKey }: Pick<SumsQuery, 'parts'> & { readonly names: readonly Name[]; readonly isByKey: boolean },
  hours: Hours,
) {
  // Times are after 1970 by more than any shift, so integer division rounds down on both databases.
  const part = parts && sql`(${time} + ${sql.lit(parts.shift)}) / ${sql.lit(parts.size)}`
  const apart = [...(isByKey ? [sql`${key} as "key"`] : []), ...(part ? [sql`${part} as part`] : [])]
  const sums = names.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0) as ${sql.ref(name)}`)
  const whereClauses = [sql`${time} >= ${hours.from}`, sql`${time} < ${hours.before}`, ...conditions]
  const groups = apart.length > 0 ? sql`group by ${sql.join(apart.map((_, index) => sql.lit(index + 1)))}` : sql``
  const { rows } = await sql<
    Record<Name, number> & Partial<SumKey>
  >`select ${sql.join([...apart, ...sums])} from ${sql.table(table)}
    where ${sql.join(whereClauses, sql` and `)} ${groups}`.execute(query)
  return rows.map((row) => ({ key: '', part: 0, ...row }))
}

function sumsBy(table: 'daily_sums' | 'hourly_sums', dimension: DimensionName, sumsQuery: SumsQuery): Source {
  const { filter, keys, minQuotaPerSecond } = sumsQuery
  const key = sql<string>`${sql.ref('key')}`
  const conditions = [sql`dimension = ${sql.lit(dimensions[dimension])}`, ...keyConditions(key, filter)]
  if (keys) conditions.push(sql`${isAmong(key, keys.map(String))}`)
  if (minQuotaPerSecond !== undefined) {
    const floor = Math.ceil(minQuotaPerSecond * (table === 'daily_sums' ? spans.day : spans.hour))
    conditions.push(sql`(quota >= ${floor} or quota < 0)`)
  }
  return { table, time: sql`start`, key, conditions }
}

function keyConditions(key: RawBuilder<string>, filter: UsageFilter): RawBuilder<unknown>[] {
  const { userId, tokenName, modelName, modelNames, channelId, group } = filter
  if (modelName?.includes('%')) return [sql`${matchingPattern(key, modelName)}`]
  if (modelNames) return [sql`${isAmong(key, modelNames)}`]
  const value = [userId, tokenName, modelName, channelId, group].find((candidate) => candidate !== undefined)
  return value === undefined ? [] : [sql`${key} = ${String(value)}`]
}

function rollupsOf({ filter, column, keys }: SumsQuery): Source {
  const conditions = usageConditions(expressionBuilder<Tables, 'rollups'>(), filter).map(
    (condition) => sql`${condition}`,
  )
  // As an expression, so that no index of the column is walked for its order: the index of the time or of a condition is the one to use.
  const key = sql<string>`cast(${column ? sql.ref(column) : sql`''`} as text)`
  if (column && keys) {
    const isOnlyCondition = conditions.length === 0
    const values = column === 'user_id' || column === 'channel_id' ? keys.map(Number) : keys
    if (!isOnlyCondition) conditions.push(sql`${isAmong(key, keys.map(String))}`)
    else conditions.push(values.length > 0 ? sql`${sql.ref(column)} in (${sql.join(values)})` : sql`1 = 0`)
  }
  return { table: 'rollups', time: sql`hour`, key, conditions }
}

const maxPartLength = 80 * spans.day
/** On a local database a call in the same process may have to wait for one part. Longer parts cost less in total. */
const partMilliseconds = 10

/** Yields the results for some hours, part by part. Parts grow to what can be read in a few milliseconds. */
async function* inParts<Found>(
  { from, before }: Hours,
  minSeconds: number,
  readPart: (part: Hours) => Promise<Found>,
): AsyncGenerator<Found> {
  let seconds = minSeconds
  for (let start = from; start < before;) {
    const part = { from: start, before: Math.min(start + seconds, before) }
    const began = performance.now()
    const found = await readPart(part)
    const took = performance.now() - began
    if (took < partMilliseconds / 2) seconds = Math.min(seconds * 2, maxPartLength)
    else if (took > partMilliseconds) seconds = Math.max(seconds / 2, minSeconds)
    yield found
    await nextTurn()
    start = part.before
  }
}
