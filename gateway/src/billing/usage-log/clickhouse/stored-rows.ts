import { logType } from '@tollgate/contract'
import { sql, type Expression, type SqlBool } from 'kysely'

import type { Queries } from '../../../platform/store/database'
import type { LogRow } from '../../../platform/store/tables'
import type { LogRange } from '../access-paths'
import { older, type RowMoment } from '../each-log'
import { callTypes, logConditions, summedConditions, type LogBuilder, type LogFilter } from '../log-filter'
import { selectChargedHours, type ChargedHour, type Sums } from '../log-sums'
import { sortValues, type LogOrder } from '../sort-logs'
import type { RowPosition } from '../window-rows'
import type { Shipments } from './shipments'

/** A row of a call, by which attempts are found. */
export type CallRow = Pick<LogRow, 'id' | 'created_at' | 'type' | 'request_id'>

/** A row in a sorted list. */
export type SortedRow = RowPosition & CallRow

/** The rows of shipments that have ended: ClickHouse has each of them once. */
export class StoredRows {
  readonly #query: Queries
  readonly #shipments: Pick<Shipments, 'last' | 'open'>

  constructor(query: Queries, shipments: Pick<Shipments, 'last' | 'open'>) {
    this.#query = query
    this.#shipments = shipments
  }

  /** Resolves with the number of rows within a filter, counted up to a maximum. */
  async count(filter: LogFilter, max: number): Promise<number> {
    const counted = this.#within(filter).select('id').limit(max)
    const { total } = await this.#query
      .selectFrom(counted.as('counted'))
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return total
  }

  /** Resolves with when the row is that stands at this place in the order of lists; undefined: there are fewer. */
  async momentAt(filter: LogFilter, offset: number): Promise<number | undefined> {
    const row = await this.#within(filter)
      .select('created_at')
      .orderBy('created_at', 'desc')
      .limit(1)
      .offset(offset)
      .executeTakeFirst()
    return row?.created_at
  }

  /** Resolves with the ids of failed attempts within a filter that a newer row of their call stands for. */
  async foldedIds(filter: LogFilter): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`${this.#selectFolded(filter)}`.execute(this.#query)
    return rows.map(({ id }) => id)
  }

  /** Resolves with rows within a filter as far as pages are made of them, newest first: all, or the first of them. */
  narrow(filter: LogFilter, limit?: number): Promise<CallRow[]> {
    return this.#within(filter)
      .select(['id', 'created_at', 'type', 'request_id'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .$if(limit !== undefined, (rows) => rows.limit(limit ?? 0))
      .execute()
  }

  /** Resolves with rows within a filter, newest first. */
  async newest(filter: LogFilter, { offset, limit }: { readonly offset: number; readonly limit: number }) {
    if (limit <= 0) return []
    const moments = await this.#within(filter)
      .select(['id', 'created_at'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    return this.rowsAt(moments)
  }

  /** Resolves with rows that come after one in the order of lists. */
  after(filter: LogFilter, before: RowMoment | null, limit: number): Promise<LogRow[]> {
    return this.#within(filter)
      .select(columns)
      .where((eb) => eb.and(older(eb, before)))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  }

  /** Resolves with these rows in the order given; their times tell where they are. */
  async rowsAt(moments: readonly RowMoment[]): Promise<LogRow[]> {
    if (moments.length === 0) return []
    const times = moments.map(({ created_at: at }) => at)
    const rows = await this.#within({
      from: times.reduce((one, other) => Math.min(one, other)),
      to: times.reduce((one, other) => Math.max(one, other)),
    })
      .select(columns)
      .where(
        isOneOf(
          'id',
          moments.map(({ id }) => id),
        ),
      )
      .execute()
    const positions = new Map(moments.map(({ id }, index) => [id, index]))
    return rows.sort((one, other) => (positions.get(one.id) ?? 0) - (positions.get(other.id) ?? 0))
  }

  /** Resolves with the number of lines within a filter, counted up to a maximum. */
  async countLines(filter: LogFilter, max: number): Promise<number> {
    const total = await this.countUnjoined(filter, max)
    return total >= max ? total : this.count(filter, max)
  }

  /** Resolves with the number of lines without failed attempts, which alone are joined to others. Counted up to a maximum. */
  async countUnjoined(filter: LogFilter, max: number): Promise<number> {
    const { total } = await this.#query
      .selectFrom(
        this.#within({ ...filter, isJoined: false })
          .where('type', '<>', logType.error)
          .select('id')
          .limit(max)
          .as('counted'),
      )
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return total
  }

  /** Resolves with the first rows of a sorted list. */
  sorted(filter: LogFilter, { sort, isDescending }: LogOrder, limit: number): Promise<SortedRow[]> {
    return this.#within(filter)
      .select(['id', 'created_at', 'type', 'request_id', sortValues('clickhouse')[sort].as('value')])
      .orderBy(sql`value ${sql.raw(isDescending ? 'desc' : 'asc')} nulls last`)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  }

  sum(filter: LogFilter, range: Partial<LogRange>): Promise<Sums> {
    return this.#rows()
      .where((eb) => eb.and(summedConditions(eb, { ...filter, ...range })))
      .select((eb) => [
        eb.fn.countAll<number>().as('count'),
        eb.fn.sum<number>('quota').as('quota'),
        eb.fn.sum<number>('prompt_tokens').as('prompt'),
        eb.fn.sum<number>('completion_tokens').as('completion'),
      ])
      .executeTakeFirstOrThrow()
  }

  hours(from: number): Promise<ChargedHour[]> {
    return selectChargedHours(this.#rows(), from).execute()
  }

  /** Resolves with the rows of these requests within a filter and these times. */
  callRows(filter: LogFilter, requestIds: readonly string[], within: LogRange): Promise<CallRow[]> {
    return this.#within({ ...filter, isJoined: false })
      .where('created_at', '>=', within.from)
      .where('created_at', '<=', within.to)
      .where(isOneOf('request_id', requestIds))
      .where('type', 'in', callTypes)
      .select(['id', 'created_at', 'type', 'request_id'])
      .execute()
  }

  callsOf(requestIds: readonly string[], within?: LogRange): Promise<LogRow[]> {
    return this.#within(within ?? {})
      .select(columns)
      .where(isOneOf('request_id', requestIds))
      .where('type', 'in', callTypes)
      .execute()
  }

  find(id: number): Promise<LogRow | undefined> {
    return this.#rows().select(columns).where('id', '=', id).executeTakeFirst()
  }

  #rows() {
    const { last, open } = this.#shipments
    const rows = this.#query.selectFrom('logs').where(sql<boolean>`shipment <= ${sql.lit(last)}`)
    return open.reduce(
      (some, { from, to }) => some.where(sql<boolean>`not (shipment between ${sql.lit(from)} and ${sql.lit(to)})`),
      rows,
    )
  }

  #within(filter: LogFilter) {
    const { withoutIds = [], errorCode, withoutErrorCodes = [] } = filter
    const others = { ...filter, isJoined: false, withoutIds: [], errorCode: undefined, withoutErrorCodes: [] }
    const rows = this.#rows()
      .where((eb) => eb.and(logConditions(eb, others)))
      // One parameter, however many they are.
      .$if(errorCode !== undefined, (some) => some.where(sql<boolean>`error_code = lower(${errorCode})`))
      .$if(withoutErrorCodes.length > 0, (some) =>
        some.where(
          // Releases before 2025 take no computed list after `in`.
          sql<boolean>`(type <> ${logType.error} or not has(arrayMap(code -> lower(code), ${sql.val(withoutErrorCodes)}), error_code))`,
        ),
      )
      .$if(withoutIds.length > 0, (some) => some.where(sql<boolean>`id not in ${sql.val(withoutIds)}`))
    return filter.isJoined && filter.type !== logType.consumption
      ? rows.where((eb) => this.#isLastOfCall(eb, filter))
      : rows
  }

  /** The row stands for its call: as `isLast` of the filters, which ClickHouse cannot find row by row. */
  #isLastOfCall(eb: LogBuilder, filter: LogFilter): Expression<SqlBool> {
    return eb.or([eb('type', '<>', logType.error), sql<SqlBool>`id not in (${this.#selectFolded(filter)})`])
  }

  /**
   * Selects the failed attempts that a newer row of their call stands for: all rows of calls with failed attempts are looked at, whose newest
   * one stands for them. Hashes of request ids are compared faster than texts; two calls with the same hash are told apart by the group.
   */
  #selectFolded(filter: LogFilter) {
    const calls = this.#within({ ...filter, isJoined: false })
    const failed = calls
      .where('type', '=', logType.error)
      .where('request_id', '<>', '')
      .select(sql`cityHash64(request_id)`.as('hash'))
    const rows = calls
      .where('type', 'in', callTypes)
      // Rows of a filter of failed attempts are all of them.
      .$if(filter.type !== logType.error, (some) => some.where(sql<boolean>`cityHash64(request_id) in (${failed})`))
      .where('request_id', '<>', '')
      .groupBy('request_id')
      .having(sql<boolean>`count() > 1`)
      .select(sql`arrayPopBack(arraySort(groupArray((created_at, id, type))))`.as('earlier'))
    return sql<{
      id: number
    }>`select attempt.2 as id from (${rows}) array join earlier as attempt where attempt.3 = ${sql.lit(logType.error)}`
  }
}

const isOneOf = (column: 'id' | 'request_id', values: readonly (string | number)[]) =>
  sql<boolean>`${sql.ref(column)} in ${sql.val(values)}`

/** Without the number of the shipment. */
const columns = [
  'id',
  'request_id',
  'created_at',
  'type',
  'user_id',
  'username',
  'token_id',
  'token_name',
  'model_name',
  'group',
  'channel_id',
  'channel_name',
  'is_stream',
  'use_time',
  'prompt_tokens',
  'completion_tokens',
  'quota',
  'content',
  'client_ip',
  'other',
] as const satisfies readonly (keyof LogRow)[]
