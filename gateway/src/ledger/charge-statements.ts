import { sql } from 'kysely'

import type { Queries } from '../store/database'
import { appendPacks } from '../analytics/append-packs'
import { rowStatement } from './row-statement'

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

/** A list of rows to join with; the casts tell PostgreSQL the types of its parameters. */
const rowsOf = (count: number, columns: readonly ('bigint' | 'text')[]) =>
  sql.join(times(count, () => sql`(${sql.join(columns.map((type) => sql`cast(${0} as ${sql.raw(type)})`))})`))

const aBalance = { id: '', amount: 0 }

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

const noFigures = { count: 0, errors: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0, use_time: 0 }

/** What a row that is there already is changed to by another of its key. */
function figuresAdded(table: 'rollups' | 'usage_sums' | 'usage_pairs') {
  const sumOf = (name: keyof typeof noFigures) =>
    sql<number>`${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`
  return {
    count: sumOf('count'),
    errors: sumOf('errors'),
    quota: sumOf('quota'),
    prompt_tokens: sumOf('prompt_tokens'),
    completion_tokens: sumOf('completion_tokens'),
    use_time: sumOf('use_time'),
  }
}

const aRollup = {
  hour: 0,
  user_id: 0,
  token_name: '',
  model_name: '',
  channel_id: 0,
  group: '',
  ...noFigures,
}

/** Row by row (request id, user, token, channel, quota, time); answers the ids that were new. */
export const insertCharges = (query: Queries) =>
  rowStatement(query, (rows, query) =>
    query
      .insertInto('charges')
      .values(times(rows, () => aCharge))
      .onConflict((conflict) => conflict.column('request_id').doNothing())
      .returning('request_id')
      .compile(),
  )

export const insertLogs = (query: Queries) =>
  rowStatement(query, (rows, query) =>
    query
      .insertInto('logs')
      .values(times(rows, () => aLog))
      .compile(),
  )

/** Answers for each row whether its hour is among the sums of any column already: see `analytics/fold`. */
const isLate = sql<number | boolean>`rollups.hour < (select max(until) from usage_folds)`.as('is_late')

/** Rows must differ in their keys. */
export const addToRollups = (query: Queries) =>
  rowStatement(query, (rows, query) =>
    query
      .insertInto('rollups')
      .values(times(rows, () => aRollup))
      .onConflict((conflict) =>
        conflict
          .columns(['hour', 'user_id', 'token_name', 'model_name', 'channel_id', 'group'])
          .doUpdateSet(figuresAdded('rollups')),
      )
      .returning(isLate)
      .compile(),
  )

const aSum = {
  dimension: 0,
  span: 0,
  start: 0,
  key: '',
  ...noFigures,
}

/** Rows must differ in their keys. */
export const addToSums = (query: Queries) =>
  rowStatement(query, (rows, query) =>
    query
      .insertInto('usage_sums')
      .values(times(rows, () => aSum))
      .onConflict((conflict) =>
        conflict.columns(['dimension', 'span', 'start', 'key']).doUpdateSet(figuresAdded('usage_sums')),
      )
      .compile(),
  )

const aPairSum = {
  pair: 0,
  span: 0,
  one: '',
  start: 0,
  other: '',
  ...noFigures,
}

/** Rows must differ in their keys. */
export const addToPairs = (query: Queries) =>
  rowStatement(query, (rows, query) =>
    query
      .insertInto('usage_pairs')
      .values(times(rows, () => aPairSum))
      .onConflict((conflict) =>
        conflict.columns(['pair', 'span', 'one', 'start', 'other']).doUpdateSet(figuresAdded('usage_pairs')),
      )
      .compile(),
  )

const aPack = { pack: 0, value: '', day: 0, records: new Uint8Array() }

/** Rows must differ in their keys. */
export const addToPacks = (query: Queries) =>
  rowStatement(query, (rows, query) =>
    appendPacks(
      query,
      times(rows, () => aPack),
    ).compile(),
  )

/** Row by row (user, cost, calls). */
export const countUsers = (query: Queries) =>
  rowStatement(query, (rows, query) =>
    sql<never>`update users set used_quota = used_quota + v.column2, request_count = request_count + v.column3
      from (values ${rowsOf(rows, ['bigint', 'bigint', 'bigint'])}) as v where users.id = v.column1`.compile(query),
  )

/** Row by row (token, cost, time and address of its last call). */
export const countTokens = (query: Queries) =>
  rowStatement(query, (rows, query) =>
    sql<never>`update tokens set used_quota = used_quota + v.column2,
        accessed_time = case when v.column3 < accessed_time then accessed_time else v.column3 end,
        last_ip = case when v.column3 < accessed_time then last_ip else v.column4 end
      from (values ${rowsOf(rows, ['bigint', 'bigint', 'bigint', 'text'])}) as v where tokens.id = v.column1`.compile(
      query,
    ),
  )

/** Row by row (channel, cost). */
export const countChannels = (query: Queries) =>
  rowStatement(query, (rows, query) =>
    sql<never>`update channels set used_quota = used_quota + v.column2
      from (values ${rowsOf(rows, ['bigint', 'bigint'])}) as v where channels.id = v.column1`.compile(query),
  )

/** Row by row (lease, cost); returns the leases that exist and what is left of them. */
export const chargeLeases = (query: Queries) =>
  rowStatement(query, (rows, query) =>
    sql<typeof aBalance>`update leases set amount = amount - v.column2
      from (values ${rowsOf(rows, ['text', 'bigint'])}) as v where leases.id = v.column1
      returning leases.id, leases.amount`.compile(query),
  )

/** Row by row (id). Rows are locked in the order of their ids, so that two workers never wait for each other. PostgreSQL only. */
export const lockRows = (query: Queries, table: 'users' | 'tokens' | 'channels') =>
  rowStatement(query, (rows, query) =>
    sql<{ id: number }>`select id from ${sql.table(table)} where id in (${sql.join(times(rows, () => 0))})
      order by id for update`.compile(query),
  )
