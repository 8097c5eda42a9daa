import { notifyTypes, type RouteInput, type accountRoutes } from '@tollgate/contract'
import { z } from 'zod'

import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { sealedWebhookSecret } from '../../messaging/notices/webhooks'
import { parsedJson } from '../../platform/text/parsed-json'

type Body = RouteInput<typeof accountRoutes.updateSetting>['body']

/**
 * Changes what the body names of the caller's settings and keeps the rest.
 * @throws AppError `setting.notify_type`, `setting.threshold`, `setting.webhook_empty`, `setting.webhook`, `setting.email`.
 */
export async function updateSetting(body: Body, { ctx, caller }: Call<'user'>): Promise<void> {
  checkSetting(body)
  await ctx.database.query.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('users')
      .select('setting')
      .where('id', '=', caller.userId)
      .$if(ctx.database.kind === 'postgres', (query) => query.forUpdate())
      .executeTakeFirstOrThrow()
    const { webhook_secret: newSecret, ...named } = body
    // Earlier releases stored the secret among the others.
    const { webhook_secret: earlier, ...present } = settingOf(row.setting)
    // Forms send an empty one when they were never shown the current one.
    const secret = newSecret || earlier
    const threshold = named.quota_warning_threshold
    const setting = JSON.stringify({ ...present, ...named })
    await transaction
      .updateTable('users')
      .set({
        setting,
        ...(threshold !== undefined && { warned_below: Math.ceil(threshold) }),
        ...(secret && { webhook_secret_sealed: sealedWebhookSecret(ctx, caller.userId, secret) }),
      })
      .where('id', '=', caller.userId)
      .execute()
    if (threshold !== undefined && threshold !== present['quota_warning_threshold']) {
      // With another threshold the balance is news again.
      await transaction
        .updateTable('balance_notices')
        .set({ used_quota: null })
        .where('user_id', '=', caller.userId)
        .execute()
    }
    await ctx.changes.announce({ topic: 'user', refId: caller.userId }, transaction)
  })
  await ctx.changes.deliver()
}

function checkSetting(body: Body): void {
  const { notify_type: type, quota_warning_threshold: threshold, webhook_url: url, notification_email: email } = body
  if (type !== undefined && !notifyTypes.some((known) => known === type)) {
    throw new AppError('setting.notify_type')
  }
  if (threshold !== undefined && !(threshold > 0)) throw new AppError('setting.threshold')
  if (type === 'webhook' && !url) throw new AppError('setting.webhook_empty')
  if (url && !isWebhook(url)) throw new AppError('setting.webhook')
  if (email && !/^[^@\s]+@[^@\s]+$/.test(email)) throw new AppError('setting.email')
}

/** No webhook is sent to an address with a name and a password in it, so none is stored. */
function isWebhook(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 'https:' && /^https:\/\//i.test(text) && url.username === '' && url.password === ''
}

const Setting = z.looseObject({ webhook_secret: z.string().optional() })

const settingOf = (text: string): z.output<typeof Setting> => Setting.safeParse(parsedJson(text)).data ?? {}
