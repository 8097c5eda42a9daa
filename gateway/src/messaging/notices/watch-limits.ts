import { userStatus } from '@tollgate/contract'
import { sql } from 'kysely'

import { noticeSettings } from '../../accounts/users/user-settings'
import { shownQuota } from '../../billing/ledger/quota-text'
import { periodsAfter, placeBefore, type PeriodPlace } from '../../billing/ledger/window/period-places'
import { endless } from '../../billing/ledger/window/schedule'
import { leasedOfPeriod } from '../../billing/ledger/window/standings'
import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { Pace } from '../../platform/store/pace'
import { reportEvent } from '../../platform/telemetry/events/report-event'
import { queueMail } from '../mail/queue-mail'
import { addNotification } from '../messages/add-notification'
import { nearLimitNotice, queueWebhook } from './webhooks'

type Deps = Pick<Context, 'catalog' | 'changes' | 'clock' | 'database' | 'random'>

/**
 * Tells owners of limits, and operators where a limit says so, of thresholds that its present period passed, each once. Present periods are read
 * a part at a time; those that have ended are not.
 */
export async function notifyNearLimits(parts: Deps, pace: Pace, signal: AbortSignal): Promise<void> {
  let hasNews = false
  for (let place: PeriodPlace | null = placeBefore(parts.clock.seconds() + 1); place && !signal.aborted;) {
    const after: PeriodPlace = place
    const part = await pace.part(() => nearPeriods(parts, after, pace.rows))
    for (const period of part.near) if (await notifyIfPassed(parts, period)) hasNews = true
    place = part.last
  }
  if (hasNews) await parts.changes.deliver()
}

/** Resolves with those of the next periods of which more is used or leased than was reported, and the last that was read; null after the last of all. */
async function nearPeriods({ database: { query }, clock }: Deps, place: PeriodPlace, rows: number) {
  const part = await periodsAfter(query, place, rows)
  const last = part.length < rows ? null : (part.at(-1) ?? null)
  if (part.length === 0) return { near: [], last }
  const near = await query
    .selectFrom('window_periods')
    .innerJoin('windows', 'windows.id', 'window_periods.window_id')
    .select(['window_periods.id', 'subject_id', 'capacity', 'window_periods.ends_at', 'alerted_percent'])
    .select(['owner', 'name', 'measure', 'span', 'limit_amount', 'alert_percents', 'alerts_operators'])
    .select(sql<number>`capacity - free - ${leasedOfPeriod}`.as('used'))
    .where(
      'window_periods.id',
      'in',
      part.map(({ id }) => id),
    )
    .where('window_periods.starts_at', '<=', clock.seconds())
    .where('alert_percents', '<>', '')
    .where('measure', '<>', 'concurrent')
    .where('alerted_percent', '<', 100)
    .where(sql<boolean>`(capacity - free) * 100 >= limit_amount * (alerted_percent + 1)`)
    .execute()
  return { near, last }
}

type NearPeriod = Awaited<ReturnType<typeof nearPeriods>>['near'][number]

/** Resolves with whether this caller was the one to report the highest threshold that was passed. */
async function notifyIfPassed(parts: Deps, period: NearPeriod): Promise<boolean> {
  const { id, used, limit_amount: limit, alert_percents: thresholds, alerted_percent: alerted } = period
  const percent = thresholds
    .split(',')
    .map(Number)
    .findLast((threshold) => used * 100 >= limit * threshold)
  if (percent === undefined || percent <= alerted) return false
  return parts.database.query.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('window_periods')
      .set({ alerted_percent: percent })
      .where('id', '=', id)
      .where('alerted_percent', '<', percent)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await notify(parts, { ...period, percent }, transaction)
    return true
  })
}

type Passed = NearPeriod & { readonly percent: number }

async function notify(parts: Deps, passed: Passed, transaction: Transaction): Promise<void> {
  const user = await ownerOf(passed, transaction)
  if (user) await notifyOwner(parts, user, passed, transaction)
  if (passed.alerts_operators === 0) return
  const { options } = parts.catalog.current
  const { id, percent, measure, used, limit_amount: limit, name } = passed
  const isQuota = measure === 'quota'
  const facts = {
    name: user?.username ?? String(passed.subject_id),
    reason: name,
    amount: isQuota ? shownQuota(used, options) : String(used),
    limit: isQuota ? shownQuota(limit, options) : String(limit),
  }
  await reportEvent(parts, { kind: 'limit-near', subject: `${id}:${percent}`, facts }, transaction)
}

/** Resolves with the user whose calls a limit counts; undefined where it counts those of a channel, or the user is gone. */
async function ownerOf({ owner, subject_id: id }: NearPeriod, transaction: Transaction) {
  if (owner === 'channel' || owner === 'channel_key') return undefined
  const users = transaction
    .selectFrom('users')
    .select(['id', 'username', 'email', 'setting'])
    .where('status', '=', userStatus.enabled)
    .where('deleted_at', 'is', null)
  if (owner === 'token')
    return users
      .where('id', '=', (eb) => eb.selectFrom('tokens').select('user_id').where('tokens.id', '=', id))
      .executeTakeFirst()
  if (owner === 'plan')
    return users
      .where('id', '=', (eb) => eb.selectFrom('subscriptions').select('user_id').where('subscriptions.id', '=', id))
      .executeTakeFirst()
  return users.where('id', '=', id).executeTakeFirst()
}

type Owner = NonNullable<Awaited<ReturnType<typeof ownerOf>>>

/** In the inbox always; also by webhook or mail where there is an address. */
async function notifyOwner(parts: Deps, user: Owner, passed: Passed, transaction: Transaction): Promise<void> {
  const { notify_type: type, notification_email: other, webhook_url: url, language } = noticeSettings(user.setting)
  const { name, percent, used, limit_amount: limit, measure, span, ends_at: endsAt } = passed
  const isEnding = endsAt === endless || span === 'range'
  const params = { username: user.username, name, percent, used, limit, measure, resetsAt: isEnding ? null : endsAt }
  await addNotification(parts, user.id, { kind: 'limit-near', params }, transaction)
  if (type === 'webhook') {
    if (url === '') return
    const notice = nearLimitNotice(params, parts.catalog.current.options, language)
    await queueWebhook(parts, { userId: user.id, url, notice }, transaction)
    return
  }
  const to = other || user.email
  if (to) await queueMail(parts, { kind: 'limit-near', to, language, params }, transaction)
}
