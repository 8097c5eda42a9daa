import { sql, type RawBuilder } from 'kysely'

import type { Context } from '../../context'
import { deviceSeconds } from '../../accounts/sessions/session-cookie'
import { removeConversations } from '../../channels/turns/trim-user'
import { keyedActSeconds } from '../../http/once-per-key'
import type { Database } from '../../platform/store/database'
import type { Pace } from '../../platform/store/pace'
import type { Tables } from '../../platform/store/tables'
import { paceOf, type Job } from './job'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** A worker reads changes within a second, so an hour covers every pause of a machine that still serves. */
const changeRetentionSeconds = hour
const mailRetentionSeconds = 7 * day
const webhookRetentionSeconds = 14 * day
const notificationRetentionSeconds = 180 * day
const eventRetentionSeconds = 90 * day
/** Longer than any retry or replay of a charge can take. */
export const chargeRetentionSeconds = 30 * day

type Deps = Pick<Context, 'clock' | 'database' | 'metrics' | 'timers'>
const secondsAgo = ({ clock }: Pick<Deps, 'clock'>, seconds: number) => clock.seconds() - seconds

/** Rows of a table that are of no use any more. */
interface Expired {
  readonly table: keyof Tables
  readonly where: RawBuilder<boolean>
}

interface Pruning extends Pick<Job, 'name' | 'everyMs'> {
  /** `ago` returns the moment (seconds) that many seconds before the present. */
  readonly conditions: (ago: (seconds: number) => number) => readonly Expired[]
}

/** Returns a job that removes expired rows a part at a time, however many have gathered: no call waits for more than a part. */
const prune =
  ({ conditions, ...job }: Pruning) =>
  (deps: Deps, makePace = paceOf): Job => ({
    ...job,
    async run(signal) {
      const pace = makePace(deps, signal)
      for (const rows of conditions((seconds) => secondsAgo(deps, seconds)))
        await inParts(pace, signal, (limit) => removeSome(deps.database, rows, limit))
    },
  })

/** Repeats a removal until it finds fewer rows than it may remove. */
async function inParts(pace: Pace, signal: AbortSignal, remove: (limit: number) => Promise<number>): Promise<void> {
  while (!signal.aborted) {
    const { rows } = pace
    const removed = await pace.part(() => remove(rows))
    if (removed < rows) return
  }
}

/** The condition is repeated, as PostgreSQL compares it once more with a row that is changed meanwhile. */
async function removeSome({ kind, longRunning }: Database, { table, where }: Expired, limit: number): Promise<number> {
  const rows = sql.table(table)
  const some =
    kind === 'sqlite'
      ? sql`rowid in (select rowid from ${rows} where ${where} limit ${limit})`
      : sql`ctid = any(array(select ctid from ${rows} where ${where} limit ${limit}))`
  const { numAffectedRows } = await sql`delete from ${rows} where ${some} and ${where}`.execute(longRunning)
  return Number(numAffectedRows ?? 0)
}

/** Removes changes that all workers have read long ago. */
export const pruneChanges = prune({
  name: 'prune-changes',
  everyMs: 10 * minute * 1000,
  conditions: (ago) => [{ table: 'changes', where: sql`created_at < ${ago(changeRetentionSeconds)}` }],
})

/** Removes expired sessions. */
export const pruneSessions = prune({
  name: 'prune-sessions',
  everyMs: 10 * minute * 1000,
  conditions: (ago) => [{ table: 'sessions', where: sql`expires_at <= ${ago(0)}` }],
})

/** Removes expired counts, and devices without a sign-in for long. */
export const pruneSignIns = prune({
  name: 'prune-sign-ins',
  everyMs: 10 * minute * 1000,
  conditions: (ago) => [
    { table: 'limit_counts', where: sql`ends_at <= ${ago(0)}` },
    { table: 'known_devices', where: sql`last_seen_at < ${ago(deviceSeconds)}` },
  ],
})

/**
 * Removes expired one-time flows and secrets of realtime sessions. Used flows stay until then, so that they cannot be used twice. Sessions
 * whose worker is gone are not counted any more, and removed an hour later.
 */
export const pruneFlows = prune({
  name: 'prune-flows',
  everyMs: 10 * minute * 1000,
  conditions: (ago) => [
    { table: 'flows', where: sql`expires_at <= ${ago(0)}` },
    { table: 'realtime_secrets', where: sql`expires_at <= ${ago(0)}` },
    { table: 'realtime_sessions', where: sql`seen_at < ${ago(hour)}` },
  ],
})

/** Removes expired answers to calls that ran in the background. */
export const pruneTaskResponses = prune({
  name: 'prune-answers',
  everyMs: 10 * minute * 1000,
  conditions: (ago) => [{ table: 'task_answers', where: sql`expires_at <= ${ago(0)}` }],
})

/** Forgets what console calls with a key were answered. */
export const pruneKeyedActs = prune({
  name: 'prune-keyed-acts',
  everyMs: 10 * minute * 1000,
  conditions: (ago) => [{ table: 'keyed_acts', where: sql`created_at <= ${ago(keyedActSeconds)}` }],
})

/** Forgets whose the objects in vendors' accounts are, once vendors have deleted them. */
export const pruneVendorObjects = prune({
  name: 'prune-vendor-objects',
  everyMs: 10 * minute * 1000,
  conditions: (ago) => [{ table: 'vendor_objects', where: sql`expires_at <= ${ago(0)}` }],
})

const pruneTurnRows = prune({
  name: 'prune-turns',
  everyMs: 10 * minute * 1000,
  conditions: (ago) => [{ table: 'response_turns', where: sql`expires_at <= ${ago(0)}` }],
})

/** Removes turns and conversations that were not used for long. */
export const pruneTurns = (deps: Deps, makePace = paceOf): Job => {
  const turns = pruneTurnRows(deps, makePace)
  return {
    ...turns,
    async run(signal) {
      await turns.run(signal)
      await inParts(makePace(deps, signal), signal, (limit) =>
        removeExpiredConversations(deps.database, secondsAgo(deps, 0), limit),
      )
    },
  }
}

const removeExpiredConversations = (database: Database, now: number, rowsAtOnce: number): Promise<number> =>
  database.longRunning.transaction().execute(async (transaction) => {
    const expired = await transaction
      .selectFrom('conversations')
      .select('id_hash')
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(rowsAtOnce)
      .execute()
    await removeConversations(
      transaction,
      expired.map(({ id_hash: hash }) => hash),
    )
    return expired.length
  })

/** Removes mails that were sent or given up days ago: until then the doctor reports them. */
export const pruneMails = prune({
  name: 'prune-mails',
  everyMs: hour * 1000,
  conditions: (ago) => [{ table: 'mails', where: sql`(due_at is null and created_at < ${ago(mailRetentionSeconds)})` }],
})

/** Removes webhooks that were delivered or given up: until then their users see the outcome. */
export const pruneWebhooks = prune({
  name: 'prune-webhooks',
  everyMs: hour * 1000,
  conditions: (ago) => [
    { table: 'webhook_deliveries', where: sql`(due_at is null and created_at < ${ago(webhookRetentionSeconds)})` },
  ],
})

/** Removes events that operators were notified of long ago and that did not happen again. */
export const pruneEvents = prune({
  name: 'prune-events',
  everyMs: hour * 1000,
  conditions: (ago) => [
    { table: 'operator_events', where: sql`(due_at is null and last_at < ${ago(eventRetentionSeconds)})` },
  ],
})

/** Removes old notifications of the gateway. Messages written by people stay until they are deleted. */
export const pruneMessages = (deps: Deps, makePace = paceOf): Job => ({
  name: 'prune-messages',
  everyMs: hour * 1000,
  run: (signal) =>
    inParts(makePace(deps, signal), signal, (limit) =>
      removeOldestNotifications(deps.database, secondsAgo(deps, notificationRetentionSeconds), limit),
    ),
})

/** Ids are assigned in the order of time: the oldest come first, and no index by time is needed. */
const removeOldestNotifications = (database: Database, before: number, rowsAtOnce: number): Promise<number> =>
  database.query.transaction().execute(async (transaction) => {
    const oldest = await transaction
      .selectFrom('messages')
      .select(['id', 'created_at'])
      .where('kind', '<>', sql.lit(''))
      .orderBy('id')
      .limit(rowsAtOnce)
      .execute()
    const ids = oldest.filter(({ created_at: at }) => at < before).map(({ id }) => id)
    if (ids.length === 0) return 0
    await transaction.deleteFrom('message_receipts').where('message_id', 'in', ids).execute()
    await transaction.deleteFrom('messages').where('id', 'in', ids).execute()
    return ids.length
  })

/** Removes the records that keep a call from being charged twice, once nothing can charge it any more. */
export const pruneCharges = (deps: Deps, makePace = paceOf): Job => ({
  name: 'prune-charges',
  everyMs: hour * 1000,
  async run(signal) {
    const before = secondsAgo(deps, chargeRetentionSeconds)
    if (deps.database.kind === 'sqlite' && !(await isFirstChargeOld(deps.database, before))) return
    await inParts(makePace(deps, signal), signal, (limit) => removeOldestCharges(deps.database, before, limit))
  },
})

/** SQLite keeps rows in insertion order. Where none is old, the thread that removes them need not begin. */
async function isFirstChargeOld({ query }: Database, before: number): Promise<boolean> {
  const charges = query.selectFrom('charges').select('created_at')
  const first = await charges
    .orderBy(sql`rowid`)
    .limit(1)
    .executeTakeFirst()
  return first !== undefined && first.created_at < before
}

/**
 * The table has no index by time, which every charge would pay for: on SQLite the oldest come first, PostgreSQL scans the table, once an hour and
 * outside this process. Their marks in the index are all over it, on pages that may have to be read from the disk.
 */
async function removeOldestCharges(database: Database, before: number, rowsAtOnce: number): Promise<number> {
  const oldest =
    database.kind === 'sqlite'
      ? sql`rowid in (select rowid from charges order by rowid limit ${rowsAtOnce})`
      : sql`request_id in (select request_id from charges where created_at < ${before} limit ${rowsAtOnce})`
  const { numDeletedRows } = await database.removal
    .deleteFrom('charges')
    .where('created_at', '<', before)
    .where(sql<boolean>`${oldest}`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
