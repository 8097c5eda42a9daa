import { sql } from 'kysely'

import type { Context } from '../../context'
import { deviceSeconds } from '../../accounts/sessions/session-cookie'
import { removeConversations } from '../../channels/turns/trim-user'
import { keyedActSeconds } from '../../http/once-per-key'
import type { Database } from '../../platform/store/database'
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

type Deps = Pick<Context, 'database' | 'clock'>
type PacedDeps = Deps & Pick<Context, 'metrics' | 'timers'>
const secondsAgo = ({ clock }: Deps, seconds: number) => clock.seconds() - seconds

/** Removes changes that all workers have read long ago. */
export const pruneChanges = (deps: Deps): Job => ({
  name: 'prune-changes',
  everyMs: 10 * minute * 1000,
  async run() {
    await deps.database.query
      .deleteFrom('changes')
      .where('created_at', '<', secondsAgo(deps, changeRetentionSeconds))
      .execute()
  },
})

/** Removes expired sessions. */
export const pruneSessions = (deps: Deps): Job => ({
  name: 'prune-sessions',
  everyMs: 10 * minute * 1000,
  async run() {
    await deps.database.query.deleteFrom('sessions').where('expires_at', '<=', secondsAgo(deps, 0)).execute()
  },
})

/** Removes expired counts, and devices without a sign-in for long. */
export const pruneSignIns = (deps: Deps): Job => ({
  name: 'prune-sign-ins',
  everyMs: 10 * minute * 1000,
  async run() {
    const { query } = deps.database
    await query.deleteFrom('limit_counts').where('ends_at', '<=', secondsAgo(deps, 0)).execute()
    await query.deleteFrom('known_devices').where('last_seen_at', '<', secondsAgo(deps, deviceSeconds)).execute()
  },
})

/**
 * Removes expired one-time flows and secrets of realtime sessions. Used flows stay until then, so that they cannot be used twice. Sessions
 * whose worker is gone are not counted any more, and removed an hour later.
 */
export const pruneFlows = (deps: Deps): Job => ({
  name: 'prune-flows',
  everyMs: 10 * minute * 1000,
  async run() {
    const { query } = deps.database
    await query.deleteFrom('flows').where('expires_at', '<=', secondsAgo(deps, 0)).execute()
    await query.deleteFrom('realtime_secrets').where('expires_at', '<=', secondsAgo(deps, 0)).execute()
    await query.deleteFrom('realtime_sessions').where('seen_at', '<', secondsAgo(deps, hour)).execute()
  },
})

/** Removes expired answers to calls that ran in the background. */
export const pruneTaskResponses = (deps: Deps): Job => ({
  name: 'prune-answers',
  everyMs: 10 * minute * 1000,
  async run() {
    await deps.database.query.deleteFrom('task_answers').where('expires_at', '<=', secondsAgo(deps, 0)).execute()
  },
})

/** Forgets what console calls with a key were answered. */
export const pruneKeyedActs = (deps: Deps): Job => ({
  name: 'prune-keyed-acts',
  everyMs: 10 * minute * 1000,
  async run() {
    await deps.database.query
      .deleteFrom('keyed_acts')
      .where('created_at', '<=', secondsAgo(deps, keyedActSeconds))
      .execute()
  },
})

/** Forgets whose the objects in vendors' accounts are, once vendors have deleted them. */
export const pruneVendorObjects = (deps: PacedDeps, makePace = paceOf): Job => ({
  name: 'prune-vendor-objects',
  everyMs: 10 * minute * 1000,
  async run(signal) {
    const pace = makePace(deps, signal)
    while (!signal.aborted) {
      const { rows } = pace
      const removed = await pace.part(() => removeExpiredObjects(deps.database, secondsAgo(deps, 0), rows))
      if (removed < rows) return
    }
  },
})

async function removeExpiredObjects(database: Database, now: number, rowsAtOnce: number): Promise<number> {
  const { numDeletedRows } = await database.longRunning
    .deleteFrom('vendor_objects')
    .where(sql<boolean>`(id_hash, user_id) in (
      select id_hash, user_id from vendor_objects where expires_at <= ${now} order by expires_at limit ${rowsAtOnce}
    )`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Removes turns and conversations that were not used for long. */
export const pruneTurns = (deps: PacedDeps, makePace = paceOf): Job => ({
  name: 'prune-turns',
  everyMs: 10 * minute * 1000,
  async run(signal) {
    const pace = makePace(deps, signal)
    for (const remove of [removeExpiredTurns, removeExpiredConversations]) {
      while (!signal.aborted) {
        const { rows } = pace
        const removed = await pace.part(() => remove(deps.database, secondsAgo(deps, 0), rows))
        if (removed < rows) break
      }
    }
  },
})

async function removeExpiredTurns(database: Database, now: number, rowsAtOnce: number): Promise<number> {
  const { numDeletedRows } = await database.longRunning
    .deleteFrom('response_turns')
    .where(sql<boolean>`(id_hash, user_id) in (
      select id_hash, user_id from response_turns where expires_at <= ${now} order by expires_at limit ${rowsAtOnce}
    )`)
    .executeTakeFirst()
  return Number(numDeletedRows)
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

/** Removes rows of a queue that will not be due again. */
const pruneQueue = (
  deps: Deps,
  name: string,
  table: 'mails' | 'webhook_deliveries',
  retentionSeconds: number,
): Job => ({
  name,
  everyMs: hour * 1000,
  async run() {
    await deps.database.query
      .deleteFrom(table)
      .where('due_at', 'is', null)
      .where('created_at', '<', secondsAgo(deps, retentionSeconds))
      .execute()
  },
})

/** Removes mails that were sent or given up days ago: until then the doctor reports them. */
export const pruneMails = (deps: Deps): Job => pruneQueue(deps, 'prune-mails', 'mails', mailRetentionSeconds)

/** Removes webhooks that were delivered or given up: until then their users see the outcome. */
export const pruneWebhooks = (deps: Deps): Job =>
  pruneQueue(deps, 'prune-webhooks', 'webhook_deliveries', webhookRetentionSeconds)

/** Removes events that operators were notified of long ago and that did not happen again. */
export const pruneEvents = (deps: Deps): Job => ({
  name: 'prune-events',
  everyMs: hour * 1000,
  async run() {
    await deps.database.query
      .deleteFrom('operator_events')
      .where('due_at', 'is', null)
      .where('last_at', '<', secondsAgo(deps, eventRetentionSeconds))
      .execute()
  },
})

/** Removes old notifications of the gateway. Messages written by people stay until they are deleted. */
export const pruneMessages = (deps: PacedDeps, makePace = paceOf): Job => ({
  name: 'prune-messages',
  everyMs: hour * 1000,
  async run(signal) {
    const pace = makePace(deps, signal)
    while (!signal.aborted) {
      const { rows } = pace
      const removed = await pace.part(() =>
        removeOldestNotifications(deps.database, secondsAgo(deps, notificationRetentionSeconds), rows),
      )
      if (removed < rows) return
    }
  },
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
export const pruneCharges = (deps: PacedDeps, makePace = paceOf): Job => ({
  name: 'prune-charges',
  everyMs: hour * 1000,
  async run(signal) {
    const pace = makePace(deps, signal)
    while (!signal.aborted) {
      const { rows } = pace
      const removed = await pace.part(() =>
        removeOldestCharges(deps.database, secondsAgo(deps, chargeRetentionSeconds), rows),
      )
      if (removed < rows) return
    }
  },
})

/**
 * The table has no index by time, which every charge would pay for. SQLite keeps rows in insertion order, so the oldest come first;
 * PostgreSQL scans the table, once an hour and outside this process.
 */
async function removeOldestCharges(database: Database, before: number, rowsAtOnce: number): Promise<number> {
  const oldest =
    database.kind === 'sqlite'
      ? sql`rowid in (select rowid from charges order by rowid limit ${rowsAtOnce})`
      : sql`request_id in (select request_id from charges where created_at < ${before} limit ${rowsAtOnce})`
  const { numDeletedRows } = await database.longRunning
    .deleteFrom('charges')
    .where('created_at', '<', before)
    .where(sql<boolean>`${oldest}`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
