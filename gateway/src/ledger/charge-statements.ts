import { sql } from 'kysely'

import type { Queries } from '../store/database'
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

const figuresAdded = {
  count: figureAdded('count'),
  errors: figureAdded('errors'),
  quota: figureAdded('quota'),
  prompt_tokens: figureAdded('prompt_tokens'),
  completion_tokens: figureAdded('completion_tokens'),
  use_time: figureAdded('use_time'),
}

function figureAdded(name: keyof typeof noFigures) {
  return sql<number>`${sql.ref(`rollups.${name}`)} + ${sql.ref(`excluded.${name}`)}`
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

/** Whether the hour is among the sums by any column already, see `analytics/add-up`. */
const isLate = sql<number | boolean>`rollups.hour < (select max(until) from sum_progress)`.as('is_late')

/** Rows must differ in their keys. */
export const addToRollups = (query: Queries) =>
  rowStatement(query, (rows, query) =>
    query
      .insertInto('rollups')
      .values(times(rows, () => aRollup))
      .onConflict((conflict) =>
        conflict
          .columns(['hour', 'user_id', 'token_name', 'model_name', 'channel_id', 'group'])
          .doUpdateSet(figuresAdded),
      )
      .returning(['hour', isLate])
      .compile(),
  )

/** Row by row (hour). */
export const markStale = (query: Queries) =>
  rowStatement(query, (rows, query) =>
    query
      .insertInto('stale_hours')
      .values(times(rows, () => ({ hour: 0 })))
      .onConflict((conflict) => conflict.column('hour').doNothing())
      .compile(),
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
