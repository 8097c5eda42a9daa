import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'

import type { Queries } from '../store/database'
import { matchingPattern } from '../store/like'
import type { Tables } from '../store/tables'
import { isAmong, type UsageFilter } from '../store/usage-conditions'
import { figures, type DimensionName } from './dimensions'
import type { Books } from './folds'
import type { Folds } from './fold-reach'
import type { Hours } from './hours'
import { isMadeOf, stretchesOf, type Level, type Parts, type Stretch } from './levels'
import { longNumber, longSpans } from './long-sums'
import { pairSpans, type Pair } from './pairs'
import { partOf, type Figures } from './read-sums'

/** What the sums of a pair answer. */
export interface PairAsked {
  readonly pair: Pair
  /** Of the columns of the pair alone. */
  readonly filter: UsageFilter
  /** Whole thirds of days that are added up. */
  readonly hours: Hours
}

/** Series are the values of one of the columns. */
export interface PairSeriesAsked extends PairAsked {
  readonly series: DimensionName
  /** These values alone. */
  readonly keys?: readonly (string | number)[]
}

/** A part is made of whole thirds of days. */
export const isOfThirds = (parts: Parts): boolean => isMadeOf(parts, pairSpans.third)

/** What was used by value of the column of the series. */
export const pairSumsByKey = (books: Books, asked: PairSeriesAsked): Promise<(Figures & { key: string })[]> =>
  selected(books, asked)
    .select((eb) => [eb.ref(seriesOf(asked)).as('key'), ...sumsOf(eb)])
    .groupBy('key')
    .execute()

/** What was used in each part of time, which is made of thirds of days. */
export const pairSumsByTime = (books: Books, asked: PairAsked, parts: Parts): Promise<(Figures & { part: number })[]> =>
  selected(books, asked, parts)
    .select((eb) => [partOf(parts).as('part'), ...sumsOf(eb)])
    .groupBy('part')
    .execute()

/** The same by value of the column of the series. */
export const pairSumsByKeyAndTime = (
  books: Books,
  asked: PairSeriesAsked,
  parts: Parts,
): Promise<(Figures & { key: string; part: number })[]> =>
  selected(books, asked, parts)
    .select((eb) => [eb.ref(seriesOf(asked)).as('key'), partOf(parts).as('part'), ...sumsOf(eb)])
    .groupBy(['key', 'part'])
    .execute()

/** All of it. */
export const pairSum = (books: Books, asked: PairAsked): Promise<Figures> =>
  selected(books, asked).select(sumsOf).executeTakeFirstOrThrow()

type Builder = ExpressionBuilder<Tables, 'usage_pairs'>

const seriesOf = ({ pair, series }: PairSeriesAsked) => (pair.one === series ? 'one' : 'other')

/** From the longest to the shortest. */
function levelsOf({ until }: Folds, { number }: Pair): Level[] {
  const long = longNumber(number)
  return [
    { number: long, span: longSpans.week, until: until(long) },
    { number, span: pairSpans.day, until: until(number) },
    { number, span: pairSpans.third, until: until(number) },
  ]
}

/** The fewest rows that hold the hours, and tell the parts of time where they are asked for. */
function selected({ query, folds }: Books, asked: PairAsked | PairSeriesAsked, parts?: Parts) {
  const levels = levelsOf(folds, asked.pair).filter(({ span }) => !parts || isMadeOf(parts, span))
  const [first = { ...nowhere, number: asked.pair.number }, ...others] = stretchesOf(asked.hours, levels)
  const rows = (stretch: Stretch) => rowsOf(query, stretch).selectAll()
  const all = others.reduce((found, stretch) => found.unionAll(rows(stretch)), rows(first))
  return query
    .selectFrom(all.as('usage_pairs'))
    .where((eb) =>
      eb.and([...conditions(eb, 'one', asked), ...conditions(eb, 'other', asked), ...amongKeys(eb, asked)]),
    )
}

const nowhere = { span: pairSpans.third, from: 0, before: 0 }

const rowsOf = (query: Queries, { number, span, from, before }: Stretch) =>
  query
    .selectFrom('usage_pairs')
    .where('pair', '=', sql.lit(number))
    .where('span', '=', sql.lit(span))
    .where('start', '>=', from)
    .where('start', '<', before)

function conditions(
  eb: Builder,
  column: 'one' | 'other',
  { pair, filter: { modelName, modelNames, tokenName, channelId, group } }: PairAsked,
): Expression<SqlBool>[] {
  const name = pair[column]
  if (name === 'model_name' && modelName?.includes('%')) return [matchingPattern(eb.ref(column), modelName)]
  if (name === 'model_name' && modelNames) return [isOneOf(eb, column, modelNames)]
  const values = { model_name: modelName, token_name: tokenName, channel_id: channelId, group, user_id: undefined }
  const value = values[name]
  return value === undefined ? [] : [eb(column, '=', String(value))]
}

/**
 * Of the second column rows are asked one by one: it stands behind the time in the index, which PostgreSQL would read from
 * end to end for each value.
 */
const isOneOf = (eb: Builder, column: 'one' | 'other', values: readonly string[]): Expression<SqlBool> =>
  isAmong(column === 'one' ? eb.ref('one') : sql`coalesce(other, other)`, values)

const amongKeys = (eb: Builder, asked: PairAsked | PairSeriesAsked): Expression<SqlBool>[] =>
  'series' in asked && asked.keys ? [isOneOf(eb, seriesOf(asked), asked.keys.map(String))] : []

const sumsOf = (eb: Builder) => figures.map((name) => eb.fn.coalesce(eb.fn.sum<number>(name), eb.lit(0)).as(name))
