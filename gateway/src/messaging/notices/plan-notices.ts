import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { SubscriptionRow } from '../../platform/store/tables'
import { noticeSettings } from '../../accounts/users/user-settings'
import { queueMail } from '../mail/queue-mail'
import { addNotification } from '../messages/add-notification'

type Deps = Pick<Context, 'catalog' | 'changes' | 'clock' | 'database' | 'random'>

/** Tells a user that a subscription ended at its time, in the inbox and by mail, in the transaction that ends it. */
export async function notifyPlanEnd(
  parts: Deps,
  { user_id: userId, plan_name: plan, ends_at: at }: SubscriptionRow,
  kind: 'plan-ended' | 'plan-not-renewed',
  transaction: Transaction,
): Promise<void> {
  const user = await transaction
    .selectFrom('users')
    .select(['username', 'email', 'setting'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!user) return
  const params = { username: user.username, plan, at }
  await addNotification(parts, userId, { kind, params }, transaction)
  const { notification_email: other, language } = noticeSettings(user.setting)
  const to = other || user.email
  if (to) await queueMail(parts, { kind, to, language, params }, transaction)
}
