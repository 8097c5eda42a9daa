import { noticeRoutes, pageOf, type RouteResult, type RouteInput } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { handler, type Call, type Handler } from '../../http/handler'
import { limitMails } from '../../http/sign-in/mail-limits'
import { queueMail } from '../../messaging/mail/queue-mail'
import { isMailSetUp } from '../../messaging/mail/smtp'
import { noticeSettings } from '../../accounts/users/user-settings'
import { deliverySeconds, queueWebhook, testNotice } from '../../messaging/notices/webhooks'

const columns = [
  'id',
  'type',
  'url',
  'body',
  'attempts',
  'created_at',
  'due_at',
  'delivered_at',
  'attempted_at',
  'status',
  'duration_ms',
  'response',
  'failure',
] as const satisfies readonly (keyof noticeRoutes.WebhookDelivery)[]

async function list(
  query: RouteInput<typeof noticeRoutes.listDeliveries>['query'],
  { ctx, caller }: Call<'user'>,
): Promise<RouteResult<typeof noticeRoutes.listDeliveries>> {
  const { page, size, offset } = pageOf(query)
  const own = ctx.database.query.selectFrom('webhook_deliveries').where('user_id', '=', caller.userId)
  const rows = own.select(columns).orderBy('created_at', 'desc').orderBy('id').limit(size).offset(offset)
  const [items, { total }] = await Promise.all([
    rows.execute(),
    own.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { items: items.map(deliveryOf), page, page_size: size, total }
}

type Row = Omit<noticeRoutes.WebhookDelivery, 'failure'> & { readonly failure: string }

const deliveryOf = (row: Row): noticeRoutes.WebhookDelivery => noticeRoutes.WebhookDelivery.parse(row)

async function settingsOf({ ctx, caller }: Call<'user'>) {
  const { setting, email } = await ctx.database.query
    .selectFrom('users')
    .select(['setting', 'email'])
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow()
  return { ...noticeSettings(setting), email }
}

/**
 * A notice is sent to the address that is set now; the end of a task to the one that the task named.
 * @throws AppError `notice.no_delivery`, `setting.webhook_empty`.
 */
async function redeliver(id: string, call: Call<'user'>): Promise<undefined> {
  const { ctx, caller } = call
  const delivery = await ctx.database.query
    .selectFrom('webhook_deliveries')
    .select(['type', 'url'])
    .where('id', '=', id)
    .where('user_id', '=', caller.userId)
    .executeTakeFirst()
  if (!delivery) throw new AppError('notice.no_delivery')
  const url = delivery.type === 'task' ? delivery.url : (await settingsOf(call)).webhook_url
  if (url === '') throw new AppError('setting.webhook_empty')
  const now = ctx.clock.seconds()
  await ctx.database.query.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('webhook_deliveries')
      .set({ url, due_at: now, expires_at: now + deliverySeconds, delivered_at: null })
      .where('id', '=', id)
      .where('user_id', '=', caller.userId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('notice.no_delivery')
    await ctx.changes.announce({ topic: 'webhook', refId: 0 }, transaction)
  })
  await ctx.changes.deliver()
}

/** @throws AppError `setting.webhook_empty`, `notice.no_mail`, `smtp.unset`, `rate.limited`. */
async function sendTest(call: Call<'user'>): Promise<RouteResult<typeof noticeRoutes.sendTest>> {
  const { ctx, caller, language } = call
  const { notify_type: type, webhook_url: url, notification_email: other, email } = await settingsOf(call)
  const to = type === 'webhook' ? url : other || email
  if (!to) throw new AppError(type === 'webhook' ? 'setting.webhook_empty' : 'notice.no_mail')
  if (type === 'email') {
    if (!isMailSetUp(ctx.catalog.current.options)) throw new AppError('smtp.unset')
    await limitMails(to, 'test', call)
  }
  await ctx.database.query.transaction().execute(async (transaction) => {
    const { userId, username } = caller
    if (type === 'webhook') await queueWebhook(ctx, { userId, url, notice: testNotice(language) }, transaction)
    else await queueMail(ctx, { kind: 'notice-test', to, language, params: { username } }, transaction)
  })
  await ctx.changes.deliver()
  return { type, to }
}

export const noticeHandlers: readonly Handler[] = [
  handler(noticeRoutes.listDeliveries, ({ query }, call) => list(query, call)),
  handler(noticeRoutes.redeliver, ({ params }, call) => redeliver(params.id, call)),
  handler(noticeRoutes.sendTest, (_input, call) => sendTest(call)),
]
