import { sql } from 'kysely'

import type { Database, Queries, Transaction } from '../../../platform/store/database'
import { rowStatement, tableOf } from './row-statement'
import { keepSumsOut } from '../../../platform/store/lock'

const aCharge = { request_id: '', user_id: 0, token_id: 0, channel_id: 0, quota: 0, created_at: 0 }

const aLog = {
  request_id: '',
  created_at: 0,
  type: 0,
  user_id: 0,
  username: '',
  token_id: 0,
  token_name: '',
  model_name: '',
  group: '',
  channel_id: 0,
  channel_name: '',
  is_stream: 0,
  use_time: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  quota: 0,
  content: '',
  client_ip: '',
  other: '',
}
export type LogRow = typeof aLog

/** What the sums of upstream keys have. */
export const noKeyFigures = {
  count: 0,
  quota: 0,
  prompt_tokens: 0,
  sold: 0,
  vendor_cost: 0,
  unpriced: 0,
  cached_tokens: 0,
  cost_saved: 0,
}

export type KeyFigures = typeof noKeyFigures

export const noFigures = { ...noKeyFigures, errors: 0, completion_tokens: 0, use_time: 0 }
export type Figures = typeof noFigures

/** Returns what adds each figure to that of the row that is there. */
const figuresAdded = (table: 'rollups' | 'key_rollups' | 'key_days', figures: Partial<Figures>) =>
  Object.fromEntries(
    Object.keys(figures).map((name) => [
      name,
      sql<number>`${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
    ]),
  )

const aRollup = {
  hour: 0,
  user_id: 0,
  token_name: '',
  model_name: '',
  channel_id: 0,
  group: '',
  ...noFigures,
}
export type RollupRow = typeof aRollup

/** Returns the ids that were new. */
export const insertCharges = (query: Queries) =>
  rowStatement(query, aCharge, (rows, query) =>
    query
      .insertInto('charges')
      .values(rows)
      .onConflict((conflict) => conflict.column('request_id').doNothing())
      .returning('request_id')
      .compile(),
  )

export const insertLogs = (query: Queries) =>
  rowStatement(query, aLog, (rows, query) => query.insertInto('logs').values(rows).compile())

/** Whether the hour is among the sums by any column already, see `analytics/add-up`. */
const isLate = sql<number | boolean>`rollups.hour < (select max(until) from sum_progress)`.as('is_late')

/** Rows must differ in their keys. */
const addToRollups = (query: Queries) =>
  rowStatement(query, aRollup, (rows, query) =>
    query
      .insertInto('rollups')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['hour', 'user_id', 'token_name', 'model_name', 'channel_id', 'group'])
          .doUpdateSet(figuresAdded('rollups', noFigures)),
      )
      .returning(['hour', isLate])
      .compile(),
  )

const ofKey = { channel_id: 0, upstream_key: '', ...noKeyFigures }
const aKeyRollup = { hour: 0, ...ofKey }
export type KeyRollupRow = typeof aKeyRollup
const aKeyDay = { day: 0, ...ofKey }
export type KeyDayRow = typeof aKeyDay

/** Rows must differ in their keys. */
export const addToKeyRollups = (query: Queries) =>
  rowStatement(query, aKeyRollup, (rows, query) =>
    query
      .insertInto('key_rollups')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['hour', 'channel_id', 'upstream_key']).doUpdateSet(figuresAdded('key_rollups', noKeyFigures)),
      )
      .compile(),
  )

/** Rows must differ in their keys. */
export const addToKeyDays = (query: Queries) =>
  rowStatement(query, aKeyDay, (rows, query) =>
    query
      .insertInto('key_days')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['day', 'channel_id', 'upstream_key']).doUpdateSet(figuresAdded('key_days', noKeyFigures)),
      )
      .compile(),
  )

const markStale = (query: Queries) =>
  rowStatement(query, { hour: 0 }, (rows, query) =>
    query
      .insertInto('stale_hours')
      .values(rows)
      .onConflict((conflict) => conflict.column('hour').doNothing())
      .compile(),
  )

export const countUsers = (query: Queries) =>
  rowStatement(query, { id: 0, cost: 0, calls: 0 }, (rows, query) =>
    sql<never>`with spent${tableOf(rows)}
      update users set used_quota = used_quota + spent.cost, request_count = request_count + spent.calls
      from spent where users.id = spent.id`.compile(query),
  )

/** `last_at` and `last_ip` are time and address of the token's last call. */
export const countTokens = (query: Queries) =>
  rowStatement(query, { id: 0, cost: 0, last_at: 0, last_ip: '' }, (rows, query) =>
    sql<never>`with spent${tableOf(rows)}
      update tokens set used_quota = used_quota + spent.cost,
        accessed_time = case when spent.last_at < accessed_time then accessed_time else spent.last_at end,
        last_ip = case when spent.last_at < accessed_time then tokens.last_ip else spent.last_ip end
      from spent where tokens.id = spent.id`.compile(query),
  )

export const countChannels = (query: Queries) =>
  rowStatement(query, { id: 0, cost: 0 }, (rows, query) =>
    sql<never>`with spent${tableOf(rows)}
      update channels set used_quota = used_quota + spent.cost from spent where channels.id = spent.id`.compile(query),
  )

/** Gives back to a wallet what a plan pays for, as one credit of a subscription and an hour. */
export const creditPlanUse = (query: Queries) =>
  rowStatement(query, { id: '', user_id: 0, kind: '', amount: 0, created_at: 0, detail: '' }, (rows, query) =>
    query
      .insertInto('credits')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({ amount: eb('credits.amount', '+', eb.ref('excluded.amount')) })),
      )
      .compile(),
  )

export const countSubscriptions = (query: Queries) =>
  rowStatement(query, { id: 0, cost: 0 }, (rows, query) =>
    sql<never>`with spent${tableOf(rows)}
      update subscriptions set used = used + spent.cost from spent where subscriptions.id = spent.id`.compile(query),
  )

/** Returns the leases that exist and what is left of them. */
export const chargeLeases = (query: Queries) =>
  rowStatement(query, { id: '', cost: 0 }, (rows, query) =>
    sql<{ id: string; amount: number }>`with spent${tableOf(rows)}
      update leases set amount = amount - spent.cost from spent where leases.id = spent.id
      returning leases.id, leases.amount`.compile(query),
  )

export type LockedTable = 'users' | 'tokens' | 'channels' | 'window_periods'

/** Locks rows in the order of their ids, so that two workers never wait for each other. PostgreSQL only. */
export const lockRows = (query: Queries, table: LockedTable) =>
  rowStatement(query, { id: 0 }, (rows, query) =>
    sql<{ id: number }>`select id from ${sql.table(table)} where id in (${sql.join(rows.map(({ id }) => id))})
      order by id for update`.compile(query),
  )

/** Adds rows of `rollupRows` to the hourly rollups, and marks hours that were added up already as stale. */
export type AddToRollups = (transaction: Transaction, rows: readonly RollupRow[]) => Promise<void>

export function createAddToRollups({ kind, query }: Pick<Database, 'kind' | 'query'>): AddToRollups {
  const add = addToRollups(query)
  const mark = markStale(query)

  return async (transaction, rows) => {
    if (rows.length === 0) return
    await keepSumsOut(transaction, kind)
    const results = await add.run(transaction, rows)
    const late = new Set(results.flatMap(({ hour, is_late: isLate }) => (isLate ? [hour] : [])))
    await mark.run(
      transaction,
      [...late].toSorted((one, other) => one - other).map((hour) => ({ hour })),
    )
  }
}
