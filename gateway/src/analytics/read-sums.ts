import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'

import type { Queries } from '../store/database'
import { matchingPattern } from '../store/like'
import type { Tables } from '../store/tables'
import { isAmong, type UsageFilter } from '../store/usage-conditions'
import { dimensions, figures, filteredBy, spans, type DimensionName } from './dimensions'
import type { Books } from './folds'
import type { Folds } from './fold-reach'
import type { Hours } from './hours'
import { isMadeOf, stretchesOf, type Level, type Parts, type Stretch } from './levels'
import { longNumber, longSpans } from './long-sums'

/** What the sums of a column answer. */
export interface SumsAsked {
  readonly dimension: DimensionName
  /** Of that column or of none. */
  readonly filter: UsageFilter
  /** Hours that are added up. */
  readonly hours: Hours
  /** These values of the column alone, all of them within the filter. */
  readonly keys?: readonly (string | number)[]
}

export type Figure = (typeof figures)[number]
export type Figures = Readonly<Record<Figure, number>>

/** The column by which everything within a filter is added up; undefined when it asks about several. */
export function dimensionOf(filter: UsageFilter, grouping?: DimensionName): DimensionName | undefined {
  const [column, ...others] = filteredBy(filter)
  if (others.length > 0 || filter.userId === null || filter.without) return undefined
  if (grouping === undefined) return column ?? 'group'
  return column === undefined || column === grouping ? grouping : undefined
}

/** The hours before it are added up. */
export const foldedUntil = (folds: Folds, dimension: DimensionName): number => folds.until(dimensions[dimension])

/** What was used by value of the column. */
export const sumsByKey = (books: Books, asked: SumsAsked): Promise<(Figures & { key: string })[]> =>
  selected(books, asked)
    .select((eb) => ['key', ...sumsOf(eb)])
    .groupBy('key')
    .execute()

/** What was used in each part of time. */
export const sumsByTime = (books: Books, asked: SumsAsked, parts: Parts): Promise<(Figures & { part: number })[]> =>
  selected(books, asked, parts)
    .select((eb) => [partOf(parts).as('part'), ...sumsOf(eb)])
    .groupBy('part')
    .execute()

/** What was used by value of the column in each part of time. */
export const sumsByKeyAndTime = (
  books: Books,
  asked: SumsAsked,
  parts: Parts,
): Promise<(Figures & { key: string; part: number })[]> =>
  selected(books, asked, parts)
    .select((eb) => ['key', partOf(parts).as('part'), ...sumsOf(eb)])
    .groupBy(['key', 'part'])
    .execute()

/** Calls and failures by value of the column; nothing else is added up. */
export const callsByKey = (books: Books, asked: SumsAsked) =>
  selected(books, asked)
    .select((eb) => ['key', sumOf(eb, 'count'), sumOf(eb, 'errors')])
    .groupBy('key')
    .execute()

/** The same and how long calls took, by value of the column and hour, as it is there. */
export const callsByKeyAndHour = ({ query }: Books, asked: SumsAsked) =>
  rowsOf(query, { number: dimensions[asked.dimension], span: spans.hour, ...asked.hours })
    .where((eb) => eb.and(keyConditions(eb, asked)))
    .select(['key', 'start', 'count', 'errors', 'use_time'])
    .execute()

/** All of it. */
export const sumOfAll = (books: Books, asked: SumsAsked): Promise<Figures> =>
  selected(books, asked).select(sumsOf).executeTakeFirstOrThrow()

type Builder = ExpressionBuilder<Tables, 'usage_sums'>

/** From the longest to the shortest. */
function levelsOf({ until }: Folds, dimension: DimensionName): Level[] {
  const number = dimensions[dimension]
  const long = longNumber(number)
  return [
    { number: long, span: longSpans.week, until: until(long) },
    { number, span: spans.day, until: until(number) },
    { number: long, span: longSpans.third, until: until(long) },
    { number, span: spans.hour, until: until(number) },
  ]
}

/**
 * The fewest rows that hold the hours, and tell the parts of time where they are asked for: an hour is in the part it begins
 * in. Keys may be many, so they are written once; both databases ask each stretch for them.
 */
function selected({ query, folds }: Books, asked: SumsAsked, parts?: Parts) {
  const levels = levelsOf(folds, asked.dimension).filter(
    ({ span }) => !parts || span === spans.hour || isMadeOf(parts, span),
  )
  const [first = { ...nowhere, number: dimensions[asked.dimension] }, ...others] = stretchesOf(asked.hours, levels)
  const rows = (stretch: Stretch) => rowsOf(query, stretch).selectAll()
  const all = others.reduce((found, stretch) => found.unionAll(rows(stretch)), rows(first))
  return query.selectFrom(all.as('usage_sums')).where((eb) => eb.and(keyConditions(eb, asked)))
}

const nowhere = { span: spans.hour, from: 0, before: 0 }

const rowsOf = (query: Queries, { number, span, from, before }: Stretch) =>
  query
    .selectFrom('usage_sums')
    .where('dimension', '=', sql.lit(number))
    .where('span', '=', sql.lit(span))
    .where('start', '>=', from)
    .where('start', '<', before)

function keyConditions(eb: Builder, { filter, keys }: SumsAsked): Expression<SqlBool>[] {
  if (keys) return [isAmong(eb.ref('key'), keys.map(String))]
  const { userId, tokenName, modelName, modelNames, channelId, group } = filter
  if (modelName?.includes('%')) return [matchingPattern(eb.ref('key'), modelName)]
  if (modelNames) return [isAmong(eb.ref('key'), modelNames)]
  const value = [userId, tokenName, modelName, channelId, group].find((wanted) => wanted !== undefined)
  return value === undefined ? [] : [eb('key', '=', String(value))]
}

/** Times are after 1970 by more than any shift, so the division of whole numbers rounds down on both databases. */
export const partOf = ({ shift, size }: Parts) => sql<number>`(start + ${sql.lit(shift)}) / ${sql.lit(size)}`

const sumsOf = (eb: Builder) => figures.map((name) => sumOf(eb, name))

const sumOf = <Name extends Figure>(eb: Builder, name: Name) =>
  eb.fn.coalesce(eb.fn.sum<number>(name), eb.lit(0)).as(name)
