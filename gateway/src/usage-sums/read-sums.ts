import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'

import type { Queries } from '../store/database'
import { matchingPattern } from '../store/like'
import type { Tables } from '../store/tables'
import { isAmong, type UsageFilter } from '../store/usage-conditions'
import { dimensions, figures, filteredBy, spans, type DimensionName } from './dimensions'
import { daysWithin, type Hours } from './hours'

/** What the sums of a column answer. */
export interface SumsAsked {
  readonly dimension: DimensionName
  /** Of that column or of none. */
  readonly filter: UsageFilter
  readonly hours: Hours
  /** These values of the column alone. */
  readonly keys?: readonly (string | number)[]
}

/** Time in equal parts: a second falls into `floor((second + shift) / size)`. */
export interface Parts {
  readonly size: number
  readonly shift: number
}

export type Figures = Readonly<Record<(typeof figures)[number], number>>

/** The column by which everything within a filter is added up; undefined when it asks about several. */
export function dimensionOf(filter: UsageFilter, grouping?: DimensionName): DimensionName | undefined {
  const [column, ...others] = filteredBy(filter)
  if (others.length > 0 || filter.userId === null) return undefined
  if (grouping === undefined) return column ?? 'group'
  return column === undefined || column === grouping ? grouping : undefined
}

/** The hours before it are added up. */
export const foldedUntil = (query: Queries, dimension: DimensionName): Promise<number> =>
  foldUntil(query, dimensions[dimension])

export async function foldUntil(query: Queries, fold: number): Promise<number> {
  const row = await query.selectFrom('usage_folds').select('until').where('dimension', '=', fold).executeTakeFirst()
  return row?.until ?? 0
}

/** What was used by value of the column. */
export const sumsByKey = (query: Queries, asked: SumsAsked): Promise<(Figures & { key: string })[]> =>
  selected(query, asked, true)
    .select((eb) => ['key', ...sumsOf(eb)])
    .groupBy('key')
    .execute()

/** What was used in each part of time. */
export const sumsByTime = (query: Queries, asked: SumsAsked, parts: Parts): Promise<(Figures & { part: number })[]> =>
  selected(query, asked, isOfDays(parts))
    .select((eb) => [partOf(parts).as('part'), ...sumsOf(eb)])
    .groupBy('part')
    .execute()

/** What was used by value of the column in each part of time. */
export const sumsByKeyAndTime = (
  query: Queries,
  asked: SumsAsked,
  parts: Parts,
): Promise<(Figures & { key: string; part: number })[]> =>
  selected(query, asked, isOfDays(parts))
    .select((eb) => ['key', partOf(parts).as('part'), ...sumsOf(eb)])
    .groupBy(['key', 'part'])
    .execute()

/** All of it. */
export const sumOfAll = (query: Queries, asked: SumsAsked): Promise<Figures> =>
  selected(query, asked, true).select(sumsOf).executeTakeFirstOrThrow()

type Builder = ExpressionBuilder<Tables, 'usage_sums'>

/** A part is made of whole days in UTC. */
export const isOfDays = ({ size, shift }: Parts) => size % spans.day === 0 && shift % spans.day === 0

/** Rows of the days that lie within the hours, and of the hours that are left at both ends; or of the hours alone. */
function selected(query: Queries, asked: SumsAsked, mayTakeDays: boolean) {
  const { from, before } = asked.hours
  const within = mayTakeDays ? daysWithin(asked.hours) : undefined
  if (!within) return rowsOf(query, asked, spans.hour, from, before)
  const days = rowsOf(query, asked, spans.day, within.from, within.before).selectAll()
  const head = rowsOf(query, asked, spans.hour, from, within.from).selectAll()
  const tail = rowsOf(query, asked, spans.hour, within.before, before).selectAll()
  return query.selectFrom(days.unionAll(head).unionAll(tail).as('usage_sums'))
}

const rowsOf = (query: Queries, { dimension, filter, keys }: SumsAsked, span: number, from: number, before: number) =>
  query
    .selectFrom('usage_sums')
    .where('dimension', '=', sql.lit(dimensions[dimension]))
    .where('span', '=', sql.lit(span))
    .where('start', '>=', from)
    .where('start', '<', before)
    .where((eb) => eb.and(keyConditions(eb, filter)))
    .$if(keys !== undefined, (rows) => rows.where('key', 'in', (keys ?? []).map(String)))

function keyConditions(
  eb: Builder,
  { userId, tokenName, modelName, modelNames, channelId, group }: UsageFilter,
): Expression<SqlBool>[] {
  if (modelName?.includes('%')) return [matchingPattern(eb.ref('key'), modelName)]
  if (modelNames) return [isAmong(eb.ref('key'), modelNames)]
  const value = [userId, tokenName, modelName, channelId, group].find((wanted) => wanted !== undefined)
  return value === undefined ? [] : [eb('key', '=', String(value))]
}

/** Times are after 1970 by more than any shift, so the division of whole numbers rounds down on both databases. */
export const partOf = ({ shift, size }: Parts) => sql<number>`(start + ${sql.lit(shift)}) / ${sql.lit(size)}`

const sumsOf = (eb: Builder) => figures.map((name) => eb.fn.coalesce(eb.fn.sum<number>(name), eb.lit(0)).as(name))
