import { userStatus, hourSeconds } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import { noticeSettings } from '../../accounts/users/user-settings'
import { walletSpent } from '../../billing/plans/wallet-spent'
import { queueMail } from '../mail/queue-mail'
import { addNotification } from '../messages/add-notification'
import { lowBalanceNotice, queueWebhook } from './webhooks'

type Deps = Pick<Context, 'catalog' | 'changes' | 'clock' | 'database' | 'random'>

/** Between two notices to a user, however often the balance rises and falls. */
const pauseSeconds = 2 * hourSeconds
/** Charges may arrive late, and a fall within the pause is reported after it. */
const lookedBackSeconds = pauseSeconds + 3600
const rowsAtOnce = 500

/**
 * Notifies the users whose balance fell below their threshold, once for each time it falls. Checks those who were charged lately. Resolves
 * with whether more may be waiting.
 */
export async function notifyLowBalances(parts: Deps): Promise<boolean> {
  const low = await newlyLow(parts)
  for (const user of low) {
    await parts.database.query.transaction().execute(async (transaction) => {
      if (await isMarked(parts, user, transaction)) await notifyLow(parts, user, transaction)
    })
  }
  if (low.length > 0) await parts.changes.deliver()
  return low.length === rowsAtOnce
}

const balance = sql<number>`users.quota
  + (select coalesce(sum(amount), 0) from leases where kind = 'user' and ref_id = users.id)`

const threshold = ({ catalog }: Pick<Context, 'catalog'>) =>
  sql<number>`coalesce(users.warned_below, ${catalog.current.options.QuotaRemindThreshold})`

/**
 * An earlier notice is repeated if the balance can have risen since: unless it is now what it was then, minus what was used, plus what was
 * credited.
 */
const isNews = (parts: Deps) =>
  sql<boolean>`(balance_notices.user_id is null or (balance_notices.notified_at <= ${parts.clock.seconds() - pauseSeconds} and (
    balance_notices.used_quota is null
    or ${balance} + ${walletSpent} - balance_notices.used_quota >= ${threshold(parts)})))`

const newlyLow = (parts: Deps) => {
  const hour = 3600 * Math.floor((parts.clock.seconds() - lookedBackSeconds) / 3600)
  return parts.database.query
    .selectFrom('users')
    .leftJoin('balance_notices', 'balance_notices.user_id', 'users.id')
    .select(['users.id', 'users.username', 'users.email', 'users.setting'])
    .select([walletSpent.as('used_quota'), balance.as('balance'), threshold(parts).as('threshold')])
    .where('users.id', 'in', (eb) => eb.selectFrom('rollups').select('user_id').distinct().where('hour', '>=', hour))
    .where('users.status', '=', userStatus.enabled)
    .where('users.deleted_at', 'is', null)
    .where(sql<boolean>`${balance} < ${threshold(parts)}`)
    .where(isNews(parts))
    .orderBy('users.id')
    .limit(rowsAtOnce)
    .execute()
}

type LowUser = Awaited<ReturnType<typeof newlyLow>>[number]

/** Resolves with whether this caller was the one to mark the user. */
async function isMarked(parts: Deps, user: LowUser, transaction: Transaction): Promise<boolean> {
  const mark = { notified_at: parts.clock.seconds(), used_quota: user.used_quota }
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('balance_notices')
    .values({ user_id: user.id, ...mark })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet(mark)
        .where('balance_notices.notified_at', '<=', parts.clock.seconds() - pauseSeconds),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** In the inbox always; also by webhook or mail where there is an address. */
async function notifyLow(parts: Deps, user: LowUser, transaction: Transaction): Promise<void> {
  const { notify_type: type, notification_email: other, webhook_url: url, language } = noticeSettings(user.setting)
  const { options } = parts.catalog.current
  const { username, balance: left, threshold: limit } = user
  const params = { username, balance: left, threshold: limit }
  await addNotification(parts, user.id, { kind: 'low-balance', params }, transaction)
  if (type === 'webhook') {
    if (url === '') return
    await queueWebhook(parts, { userId: user.id, url, notice: lowBalanceNotice(user, options, language) }, transaction)
    return
  }
  const to = other || user.email
  if (to) await queueMail(parts, { kind: 'low-balance', to, language, params }, transaction)
}
