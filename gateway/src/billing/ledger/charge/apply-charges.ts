import { hourSeconds } from '@tollgate/contract'

import * as statements from './charge-statements'

import type { Database, Transaction } from '../../../platform/store/database'
import { createAddToRollups } from './charge-statements'
import type { ChargeRecord } from './charge-record'
import { keyDayRows, keyRollupRows, logRow, rollupRows } from './log-rows'
import { chargeLeases, type LeaseDebt } from '../lease/lease-charges'
import { createRecordMeasures } from './measure-batch'
import { DrawSums } from '../window/draw-sums'
import { DrawSets } from '../window/named-draws'
import type { LogEntry } from '../ledger'

/** Puts charges into the database, each request id once, all of a batch in one transaction. Returns what leases did not cover. */
export type ApplyCharges = (records: readonly ChargeRecord[]) => Promise<readonly LeaseDebt[]>

/** Does the same within the caller's transaction. */
export type ApplyChargesIn = (
  transaction: Transaction,
  records: readonly ChargeRecord[],
) => Promise<readonly LeaseDebt[]>

export function createApplyCharges(database: Database): ApplyCharges {
  const apply = createApplyChargesIn(database)
  return (records) => database.query.transaction().execute((transaction) => apply(transaction, records))
}

/**
 * Charges are inserted first; only those that were new count. Everything is added up for each row and rows are taken
 * in the order of their keys, users before tokens before channels before rollups before those of upstream keys before windows before leases, as everywhere
 * in the ledger, so that workers never deadlock.
 */
export function createApplyChargesIn(database: Database): ApplyChargesIn {
  const { query } = database
  const insertCharges = statements.insertCharges(query)
  const insertLogs = statements.insertLogs(query)
  const addToRollups = createAddToRollups(database)
  const addToKeyRollups = statements.addToKeyRollups(query)
  const addToKeyDays = statements.addToKeyDays(query)
  const recordMeasures = createRecordMeasures(query)
  const count = createCounters(database)
  const payByPlans = createPlanUse(database)
  const lockPeriods = lockIn(database, 'window_periods')
  const sets = new DrawSets()
  const leases = chargeLeases(database, sets)

  return async (transaction, records) => {
    const unique = withoutRepeats(records)
    const inserted = await insertCharges.run(transaction, unique.map(chargeRow).sort(byRequest))
    const fresh = inserted.length === unique.length ? unique : only(unique, inserted)
    if (fresh.length === 0) return []
    const logged = fresh.filter(({ isLogged }) => isLogged)
    await insertLogs.run(
      transaction,
      logged.map(({ requestId, entry, cost }) => logRow(requestId, entry, cost)),
    )
    await count(transaction, fresh)
    await addToRollups(transaction, rollupRows(fresh))
    const keyHours = keyRollupRows(fresh)
    await addToKeyRollups.run(transaction, keyHours)
    await addToKeyDays.run(transaction, keyDayRows(keyHours))
    await recordMeasures(
      transaction,
      fresh.map(({ entry }) => entry),
    )
    await payByPlans(transaction, fresh)
    if (database.kind === 'postgres') await lockPeriods(transaction, periodsOf(fresh, sets))
    return leases(transaction, fresh)
  }
}

/** Returns what locks rows of a table until the transaction ends. SQLite has the write lock since the transaction began. */
function lockIn({ query, kind }: Database, table: statements.LockedTable) {
  if (kind === 'sqlite') return async () => {}
  const statement = statements.lockRows(query, table)
  return async (transaction: Transaction, rows: readonly { readonly id: number }[]) => {
    await statement.run(transaction, rows)
  }
}

/** The periods of windows that charges drew from, each once, by rising id. */
function periodsOf(records: readonly ChargeRecord[], sets: DrawSets): { readonly id: number }[] {
  const draws = new DrawSums(sets)
  for (const record of records) if (record.windows) draws.add(record.windows, record)
  const ids = new Set<number>()
  draws.each((_, period) => ids.add(period))
  return [...ids].toSorted((one, other) => one - other).map((id) => ({ id }))
}

/** `used_quota` and `request_count` of users, tokens and channels. */
function createCounters(database: Database) {
  const { query } = database
  const countUsers = statements.countUsers(query)
  const countTokens = statements.countTokens(query)
  const countChannels = statements.countChannels(query)
  const lockUsers = lockIn(database, 'users')
  const lockTokens = lockIn(database, 'tokens')
  const lockChannels = lockIn(database, 'channels')

  return async (transaction: Transaction, records: readonly ChargeRecord[]) => {
    const users = sumsBy(records, ({ entry }) => entry.userId)
    const tokens = sumsBy(records, ({ entry }) => entry.tokenId)
    const channels = sumsBy(records, ({ entry }) => entry.channelId)
    await lockUsers(transaction, users)
    await countUsers.run(transaction, users)
    await lockTokens(transaction, tokens)
    await countTokens.run(transaction, tokens.map(withLast))
    await lockChannels(transaction, channels)
    await countChannels.run(transaction, channels)
  }
}

/**
 * What a plan pays for is spent like everything else and credited at the same time, so that the wallet stays as it was and all that was
 * credited is still all that is free, held and spent.
 */
function createPlanUse({ query }: Database) {
  const credit = statements.creditPlanUse(query)
  const count = statements.countSubscriptions(query)
  return async (transaction: Transaction, records: readonly ChargeRecord[]) => {
    const paid = records.filter(({ subscription }) => subscription !== undefined)
    if (paid.length === 0) return
    const hours = Map.groupBy(paid, ({ subscription, entry }) => `${subscription}:${hourOf(entry.createdAt)}`)
    const rows = [...hours].map(([name, [first, ...others]]) => ({
      id: `plan-use:${name}`,
      user_id: first?.entry.userId ?? 0,
      kind: 'plan-use',
      amount: [first, ...others].reduce((sum, record) => sum + (record?.cost ?? 0), 0),
      created_at: hourOf(first?.entry.createdAt ?? 0),
      detail: String(first?.subscription),
    }))
    await credit.run(
      transaction,
      rows.sort((one, other) => (one.id < other.id ? -1 : 1)),
    )
    await count.run(
      transaction,
      sumsBy(paid, ({ subscription = 0 }) => subscription).map(({ id, cost }) => ({ id, cost })),
    )
  }
}

const hourOf = (seconds: number): number => seconds - (seconds % hourSeconds)

/** Returns each charge once; where one comes twice, the later one. */
function withoutRepeats(records: readonly ChargeRecord[]): readonly ChargeRecord[] {
  const ids = new Set(records.map(({ requestId }) => requestId))
  return ids.size === records.length
    ? records
    : [...new Map(records.map((record) => [record.requestId, record])).values()]
}

const withLast = ({ id, cost, last }: Sum) => ({ id, cost, last_at: last.createdAt, last_ip: last.clientIp })

const chargeRow = ({ requestId, entry, cost }: ChargeRecord) => ({
  request_id: requestId,
  user_id: entry.userId,
  token_id: entry.tokenId,
  channel_id: entry.channelId,
  quota: cost,
  created_at: entry.createdAt,
})

/** Two workers that apply the same charges wait for each other's rows, so both insert them in one order. */
const byRequest = (a: { request_id: string }, b: { request_id: string }) => (a.request_id < b.request_id ? -1 : 1)

function only(records: readonly ChargeRecord[], inserted: readonly { request_id: string }[]) {
  const fresh = new Set(inserted.map(({ request_id }) => request_id))
  return records.filter(({ requestId }) => fresh.has(requestId))
}

/** What the calls of a user, a token or a channel add up to. */
export interface Sum {
  readonly id: number
  cost: number
  calls: number
  last: LogEntry
}

/** Cost, calls and the last call of each id that is not 0, by rising id. */
export function sumsBy(records: readonly ChargeRecord[], idOf: (record: ChargeRecord) => number): Sum[] {
  const sums = new Map<number, Sum>()
  for (const record of records) {
    const id = idOf(record)
    if (id === 0) continue
    const { cost, entry } = record
    const sum = sums.get(id)
    if (sum) {
      sum.cost += cost
      sum.calls += 1
      if (entry.createdAt >= sum.last.createdAt) sum.last = entry
    } else sums.set(id, { id, cost, calls: 1, last: entry })
  }
  return [...sums.values()].sort((a, b) => a.id - b.id)
}
