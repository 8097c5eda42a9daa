import { daySeconds, logType } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Database, Queries, Transaction } from '../../platform/store/database'

/**
 * The log of PostgreSQL by months in UTC: `logs_2026_12` and so on; `logs_until_2027_01` with everything before the first of them, on a site
 * that is older than they are; and `logs_rest` with the rows of all other times, usually none.
 */
interface LogPartition {
  readonly name: string
  /** Seconds, inclusive; -Infinity: from the beginning. */
  readonly from: number
  /** Seconds, exclusive. */
  readonly to: number
}

const rest = 'logs_rest'
/** At most this many rows are moved out of the rest at once; more stay where they are. */
const maxMovedRows = 10_000
/** The present month and the next ones. */
const monthsAhead = 2

/** Resolves with the partitions of months, the oldest first. */
export async function logPartitions(query: Queries): Promise<readonly LogPartition[]> {
  const { rows } = await sql<{ name: string; bounds: string }>`
    select child.relname as name, pg_get_expr(child.relpartbound, child.oid) as bounds
    from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = to_regclass('logs')`.execute(query)
  return rows
    .flatMap(({ name, bounds }) => {
      const [, from, to] = /^FOR VALUES FROM \((?:'(\d+)'|MINVALUE)\) TO \('(\d+)'\)$/.exec(bounds) ?? []
      return to === undefined ? [] : [{ name, from: from === undefined ? -Infinity : Number(from), to: Number(to) }]
    })
    .toSorted((one, other) => one.to - other.to)
}

/**
 * Creates the partitions of all months from one moment (seconds) to two months after the present. No call waits for it: what takes long on a
 * site with millions of rows takes locks that let others read and write.
 */
export async function partitionLog({ kind, longRunning: query }: Database, now: number, from = now): Promise<void> {
  if (kind !== 'postgres') return
  await dropCheck(query)
  const known = await logPartitions(query)
  const months = monthsFrom(from, monthOf(now, monthsAhead).to).filter(
    (month) => !known.some((one) => one.from < month.to && month.from < one.to),
  )
  const isLarge = await hasMoreThan(query, maxMovedRows)
  if (isLarge && known.length === 0) return splitHistory(query, now)
  for (const month of months) {
    if (isLarge) await createNextToMany(query, month, now)
    else await createMonth(query, month)
  }
}

const maxMonthsBack = 60

/** Creates the partitions of rows that are to come, from the oldest (seconds) on; null: there are none. Rows of before the last five years go to the rest. */
export const partitionHistory = (database: Database, now: number, oldest: number | null): Promise<void> =>
  partitionLog(database, now, Math.min(Math.max(oldest ?? now, monthOf(now, -maxMonthsBack).from), now))

/** The month (UTC) of a moment, or of one some months later. */
function monthOf(seconds: number, later = 0): LogPartition {
  const at = new Date(seconds * 1000)
  const begin = (months: number) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1) / 1000
  const [from, to] = [begin(later), begin(later + 1)]
  return { name: `logs_${label(from)}`, from, to }
}

const label = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 7).replace('-', '_')

function monthsFrom(from: number, until: number): LogPartition[] {
  const months: LogPartition[] = []
  for (let month = monthOf(from); month.to <= until; month = monthOf(month.to)) months.push(month)
  return months
}

const hasMoreThan = async (query: Queries, count: number): Promise<boolean> => {
  const { rows } = await sql`select 1 from ${sql.table(rest)} limit ${count + 1}`.execute(query)
  return rows.length > count
}

/** Creates the partition of a month and moves there what the rest has of it. */
const createMonth = (query: Queries, month: LogPartition): Promise<void> =>
  inShortLocks(query, async (transaction) => {
    const table = sql.table(month.name)
    await sql`lock table ${sql.table(rest)} in access exclusive mode`.execute(transaction)
    await sql`create table ${table} (like logs including defaults, primary key (id))`.execute(transaction)
    await sql`with moved as (delete from ${sql.table(rest)} where created_at >= ${month.from} and created_at < ${month.to} returning *)
      insert into ${table} select * from moved`.execute(transaction)
    await attach(transaction, month)
  })

async function attach(transaction: Transaction, { name, from, to }: LogPartition): Promise<void> {
  const begin = from === -Infinity ? sql`minvalue` : sql.lit(from)
  await sql`alter table logs attach partition ${sql.table(name)} for values from (${begin}) to (${sql.lit(to)})`.execute(
    transaction,
  )
}

/**
 * Creates the partition of a month to come beside a rest of many rows, none of which is of it. Attaching it would scan them under lock, were
 * it not known from a check, which is validated while others read and write.
 */
async function createNextToMany(query: Queries, month: LogPartition, now: number): Promise<void> {
  if (month.from < now + daySeconds) return
  const isElsewhere = sql`created_at < ${sql.lit(month.from)} or created_at >= ${sql.lit(month.to)}`
  await withCheck(query, isElsewhere, () => createMonth(query, month))
}

/** Makes the rest of a site that is older than its partitions the partition of all time until the month after the present. */
async function splitHistory(query: Queries, now: number): Promise<void> {
  // Not within the last day of a month: until the new partitions are there, the check refuses their rows.
  const { to } = monthOf(now + daySeconds)
  const history: LogPartition = { name: `logs_until_${label(to)}`, from: -Infinity, to }
  const months = monthsFrom(to, monthOf(now, monthsAhead).to)
  await withCheck(query, sql`created_at < ${sql.lit(to)}`, () =>
    inShortLocks(query, async (transaction) => {
      await sql`alter table logs detach partition ${sql.table(rest)}`.execute(transaction)
      await sql`alter table ${sql.table(rest)} rename to ${sql.ref(history.name)}`.execute(transaction)
      await attach(transaction, history)
      for (const { name } of [{ name: rest }, ...months])
        await sql`create table ${sql.table(name)} (like logs including defaults, primary key (id))`.execute(transaction)
      for (const month of months) await attach(transaction, month)
      await sql`alter table logs attach partition ${sql.table(rest)} default`.execute(transaction)
    }),
  )
}

const checkName = 'logs_times'

/** Does work while a check on the rest is known to hold for all its rows. It goes afterwards, also where it is not true. */
async function withCheck(query: Queries, isTrue: ReturnType<typeof sql>, work: () => Promise<void>): Promise<void> {
  try {
    await inShortLocks(query, async (transaction) => {
      await sql`alter table ${sql.table(rest)} add constraint ${sql.ref(checkName)} check (${isTrue}) not valid`.execute(
        transaction,
      )
    })
    await sql`alter table ${sql.table(rest)} validate constraint ${sql.ref(checkName)}`.execute(query)
    await work()
  } finally {
    await dropCheck(query)
  }
}

/** Left behind, as by a process that was killed, the check would refuse rows of the next month. */
async function dropCheck(query: Queries): Promise<void> {
  const { rows } = await sql<{ table: string }>`
    select cast(conrelid::regclass as text) as table from pg_constraint
    where conname = ${checkName} and connamespace = current_schema()::regnamespace`.execute(query)
  for (const { table } of rows) {
    await inShortLocks(query, async (transaction) => {
      await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(checkName)}`.execute(transaction)
    })
  }
}

/** Rows of payments, gifts and administration are moved out of a month that is dropped; where they are more, its rows are deleted in steps. */
const maxLastingRows = 20_000

const isLasting = sql`(type < ${sql.lit(logType.consumption)} or (type > ${sql.lit(logType.consumption)} and type < ${sql.lit(
  logType.error,
)}) or type > ${sql.lit(logType.error)})`

interface Dropped {
  /** Rows of calls and failed attempts. */
  readonly count: number
  /** False: another connection, as that of a dump, holds the log locked. */
  readonly isDone: boolean
}

/** Drops the partitions that end before a moment (seconds). */
export async function dropMonths(
  { kind, query }: Pick<Database, 'kind' | 'query'>,
  before: number,
  isOver: () => boolean,
): Promise<Dropped> {
  let count = 0
  if (kind !== 'postgres') return { count, isDone: true }
  for (const month of await logPartitions(query)) {
    if (month.to > before) break
    if (isOver()) return { count, isDone: false }
    try {
      count += await dropMonth(query, month)
    } catch (error) {
      if (isBusy(error)) return { count, isDone: false }
      throw error
    }
  }
  return { count, isDone: true }
}

async function dropMonth(query: Queries, { name }: LogPartition): Promise<number> {
  const table = sql.table(name)
  const { rows: lasting } = await sql`select 1 from ${table} where ${isLasting} limit ${maxLastingRows + 1}`.execute(
    query,
  )
  if (lasting.length > maxLastingRows) return 0
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${table}`.execute(query)
  return inShortLocks(query, async (transaction) => {
    await sql`alter table logs detach partition ${table}`.execute(transaction)
    // Their time belongs to the rest now.
    const moved = await sql`insert into logs select * from ${table} where ${isLasting}`.execute(transaction)
    await sql`drop table ${table}`.execute(transaction)
    return (rows[0]?.count ?? 0) - Number(moved.numAffectedRows ?? 0)
  })
}

/** Others wait behind a lock that is waited for: no longer than this. */
const lockTimeout = sql.lit('500ms')
const lockNotAvailable = '55P03'
const maxTries = 3

/** Runs a transaction whose locks are held for a moment. A connection that holds them longer, as that of a dump, goes first. */
async function inShortLocks<Result>(
  query: Queries,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await query.transaction().execute(async (transaction) => {
        await sql`set local lock_timeout = ${lockTimeout}`.execute(transaction)
        return work(transaction)
      })
    } catch (error) {
      if (!isBusy(error) || tries === maxTries) throw error
    }
  }
}

/** Returns whether a lock was not to be had in time. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === lockNotAvailable
