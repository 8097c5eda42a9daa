import { sql } from 'kysely'

import type { Context } from '../context'
import type { Transaction } from '../store/database'
import { noticeSettings } from './notice-settings'
import { queueMail } from '../mail/queue-mail'
import { queueWebhook } from './queue-webhook'
import { lowBalanceNotice } from './webhook-notices'

type Parts = Pick<Context, 'catalog' | 'changes' | 'clock' | 'database' | 'random'>

/** Between two notices to a user, however often the balance rises and falls. */
const pauseSeconds = 2 * 3600
/** Usage is added up by the hour; a charge can come a little late. */
const lateSeconds = 120
const rowsAtOnce = 500

/**
 * Tell the users whose balance fell below their threshold, once for each time it falls. Looks at those who were charged in this
 * hour. Resolves with whether more may wait.
 */
export async function tellLowBalances(parts: Parts): Promise<boolean> {
  const low = await newlyLow(parts)
  for (const user of low) {
    await parts.database.query.transaction().execute(async (transaction) => {
      if (await isMarked(parts, user.id, transaction)) await tell(parts, user, transaction)
    })
  }
  if (low.length > 0) await parts.changes.deliver()
  return low.length === rowsAtOnce
}

/** Those whose balance is no longer low are told again when it falls. Looks at a part of them; resolves with where to go on. */
export async function forgetRaisedBalances(parts: Parts, after: number): Promise<number> {
  const marked = await parts.database.query
    .selectFrom('balance_notices')
    .innerJoin('users', 'users.id', 'balance_notices.user_id')
    .select(['users.id', isLow(parts).as('is_low')])
    .where('balance_notices.is_low', '=', 1)
    .where('balance_notices.user_id', '>', after)
    .orderBy('balance_notices.user_id')
    .limit(rowsAtOnce)
    .execute()
  const raised = marked.filter(({ is_low: still }) => !still).map(({ id }) => id)
  if (raised.length > 0) {
    await parts.database.query
      .updateTable('balance_notices')
      .set({ is_low: 0 })
      .where('user_id', 'in', raised)
      .execute()
  }
  return marked.length < rowsAtOnce ? 0 : (marked.at(-1)?.id ?? 0)
}

const now = ({ clock }: Pick<Context, 'clock'>) => Math.floor(clock.now() / 1000)

const balance = sql<number>`users.quota
  + (select coalesce(sum(amount), 0) from leases where kind = 'user' and ref_id = users.id)`

const threshold = ({ catalog }: Pick<Context, 'catalog'>) =>
  sql<number>`coalesce(users.warned_below, ${catalog.current.options.QuotaRemindThreshold})`

const isLow = (parts: Parts) => sql<number | boolean>`${balance} < ${threshold(parts)}`

const newlyLow = (parts: Parts) => {
  const hour = 3600 * Math.floor((now(parts) - lateSeconds) / 3600)
  return parts.database.query
    .selectFrom('users')
    .leftJoin('balance_notices', 'balance_notices.user_id', 'users.id')
    .select(['users.id', 'users.username', 'users.email', 'users.setting'])
    .select([balance.as('balance'), threshold(parts).as('threshold')])
    .where('users.id', 'in', (eb) => eb.selectFrom('rollups').select('user_id').distinct().where('hour', '>=', hour))
    .where('users.status', '=', 1)
    .where('users.deleted_at', 'is', null)
    .where(sql<boolean>`${isLow(parts)}`)
    .where(
      sql<boolean>`(balance_notices.user_id is null
        or (balance_notices.is_low = 0 and balance_notices.notified_at <= ${now(parts) - pauseSeconds}))`,
    )
    .orderBy('users.id')
    .limit(rowsAtOnce)
    .execute()
}

type LowUser = Awaited<ReturnType<typeof newlyLow>>[number]

/** Resolves with whether this caller was the one to mark the user. */
async function isMarked(parts: Parts, userId: number, transaction: Transaction): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('balance_notices')
    .values({ user_id: userId, is_low: 1, notified_at: now(parts) })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ is_low: 1, notified_at: now(parts) })
        .where('balance_notices.is_low', '=', 0),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Who gave no address is not told, and not looked at again until the balance rose. */
async function tell(parts: Parts, user: LowUser, transaction: Transaction): Promise<void> {
  const { notify_type: type, notification_email: other, webhook_url: url, language } = noticeSettings(user.setting)
  const { options } = parts.catalog.current
  if (type === 'webhook') {
    if (url === '') return
    await queueWebhook(parts, { userId: user.id, url, notice: lowBalanceNotice(user, options, language) }, transaction)
    return
  }
  const to = other || user.email
  if (!to) return
  const { username, balance: left, threshold: limit } = user
  const params = { username, balance: left, threshold: limit }
  await queueMail(parts, { kind: 'low-balance', to, language, params }, transaction)
}
