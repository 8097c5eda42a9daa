import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'

import type { Queries } from '../store/database'
import { matchingPattern } from '../store/like'
import type { Tables } from '../store/tables'
import { isAmong, type UsageFilter } from '../store/usage-conditions'
import { figures, type DimensionName } from './dimensions'
import { daysWithin, type Hours } from './hours'
import { pairSpans, type Pair } from './pairs'
import { isOfDays, partOf, type Figures, type Parts } from './read-sums'

/** What the sums of a pair answer. */
export interface PairAsked {
  readonly pair: Pair
  /** Of the columns of the pair alone. */
  readonly filter: UsageFilter
  /** Whole thirds of days. */
  readonly hours: Hours
  /** These values of the other column alone. */
  readonly keys?: readonly (string | number)[]
}

/** The hours before it are added up; none are while a worker of an earlier release charges beside. */
export async function pairUntil(query: Queries, { number }: Pair): Promise<number> {
  const row = await query
    .selectFrom('usage_folds')
    .select('until')
    .where('dimension', '=', number)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('workers').select('id').where('adds_pairs', '=', 0))))
    .executeTakeFirst()
  return row?.until ?? 0
}

/** A part is made of whole thirds of days. */
export const isOfThirds = ({ size, shift }: Parts): boolean =>
  size % pairSpans.third === 0 && shift % pairSpans.third === 0

/** What was used by value of the other column. */
export const pairSumsByKey = (query: Queries, asked: PairAsked): Promise<(Figures & { key: string })[]> =>
  selected(query, asked, true)
    .select((eb) => [eb.ref('other').as('key'), ...sumsOf(eb)])
    .groupBy('other')
    .execute()

/** What was used in each part of time, which is made of thirds of days. */
export const pairSumsByTime = (
  query: Queries,
  asked: PairAsked,
  parts: Parts,
): Promise<(Figures & { part: number })[]> =>
  selected(query, asked, isOfDays(parts))
    .select((eb) => [partOf(parts).as('part'), ...sumsOf(eb)])
    .groupBy('part')
    .execute()

/** The same by value of the other column. */
export const pairSumsByKeyAndTime = (
  query: Queries,
  asked: PairAsked,
  parts: Parts,
): Promise<(Figures & { key: string; part: number })[]> =>
  selected(query, asked, isOfDays(parts))
    .select((eb) => [eb.ref('other').as('key'), partOf(parts).as('part'), ...sumsOf(eb)])
    .groupBy(['other', 'part'])
    .execute()

/** What was used by value of the first column in each part of time, of these values alone. */
export const pairSumsOfOnes = (
  query: Queries,
  { keys, ...asked }: PairAsked & { readonly keys: readonly (string | number)[] },
  parts: Parts,
): Promise<(Figures & { key: string; part: number })[]> =>
  selected(query, asked, isOfDays(parts), keys)
    .select((eb) => [eb.ref('one').as('key'), partOf(parts).as('part'), ...sumsOf(eb)])
    .groupBy(['one', 'part'])
    .execute()

/** All of it. */
export const pairSum = (query: Queries, asked: PairAsked): Promise<Figures> =>
  selected(query, asked, true).select(sumsOf).executeTakeFirstOrThrow()

type Builder = ExpressionBuilder<Tables, 'usage_pairs'>

function selected(query: Queries, asked: PairAsked, mayTakeDays: boolean, ones?: readonly (string | number)[]) {
  const { from, before } = asked.hours
  const within = mayTakeDays ? daysWithin(asked.hours) : undefined
  const rows = (span: number, from: number, before: number) =>
    rowsOf(query, asked, span, from, before).$if(ones !== undefined, (rows) =>
      rows.where('one', 'in', (ones ?? []).map(String)),
    )
  if (!within) return rows(pairSpans.third, from, before)
  const days = rows(pairSpans.day, within.from, within.before).selectAll()
  const head = rows(pairSpans.third, from, within.from).selectAll()
  const tail = rows(pairSpans.third, within.before, before).selectAll()
  return query.selectFrom(days.unionAll(head).unionAll(tail).as('usage_pairs'))
}

const rowsOf = (query: Queries, { pair, filter, keys }: PairAsked, span: number, from: number, before: number) =>
  query
    .selectFrom('usage_pairs')
    .where('pair', '=', sql.lit(pair.number))
    .where('span', '=', sql.lit(span))
    .where('start', '>=', from)
    .where('start', '<', before)
    .where((eb) => eb.and([...conditions(eb, 'one', pair.one, filter), ...conditions(eb, 'other', pair.other, filter)]))
    .$if(keys !== undefined, (rows) => rows.where('other', 'in', (keys ?? []).map(String)))

function conditions(
  eb: Builder,
  column: 'one' | 'other',
  name: DimensionName,
  { modelName, modelNames, tokenName, channelId, group }: UsageFilter,
): Expression<SqlBool>[] {
  if (name === 'model_name' && modelName?.includes('%')) return [matchingPattern(eb.ref(column), modelName)]
  if (name === 'model_name' && modelNames) return [isAmong(eb.ref(column), modelNames)]
  const values = { model_name: modelName, token_name: tokenName, channel_id: channelId, group, user_id: undefined }
  const value = values[name]
  return value === undefined ? [] : [eb(column, '=', String(value))]
}

const sumsOf = (eb: Builder) => figures.map((name) => eb.fn.coalesce(eb.fn.sum<number>(name), eb.lit(0)).as(name))
