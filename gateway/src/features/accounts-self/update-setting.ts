import { selfRoutes, type RouteInput } from '@tollgate/contract'
import { z } from 'zod'

import { AppError } from '../../app-error'
import type { Call } from '../../http/handler'

type Body = RouteInput<typeof selfRoutes.updateSetting>['body']

/**
 * Change what the body names of the caller's settings and keep the rest.
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
    const setting = JSON.stringify({ ...settingOf(row.setting), ...given(body) })
    await transaction.updateTable('users').set({ setting }).where('id', '=', caller.userId).execute()
    await ctx.changes.announce({ topic: 'user', refId: caller.userId }, transaction)
  })
  await ctx.changes.deliver()
}

function checkSetting(body: Body): void {
  const { notify_type: type, quota_warning_threshold: threshold, webhook_url: url, notification_email: email } = body
  if (type !== undefined && !selfRoutes.notifyTypes.some((known) => known === type)) {
    throw new AppError('setting.notify_type')
  }
  if (threshold !== undefined && !(threshold > 0)) throw new AppError('setting.threshold')
  if (type === 'webhook' && !url) throw new AppError('setting.webhook_empty')
  if (url && !isWebhook(url)) throw new AppError('setting.webhook')
  if (email && !/^[^@\s]+@[^@\s]+$/.test(email)) throw new AppError('setting.email')
}

const isWebhook = (text: string): boolean => /^https:\/\//i.test(text) && URL.canParse(text)

/** An empty secret is what a form sends that was never shown the present one. */
const given = ({ webhook_secret: secret, ...body }: Body) => ({ ...body, ...(secret && { webhook_secret: secret }) })

const Setting = z.looseObject({})

function settingOf(text: string): object {
  try {
    return Setting.parse(JSON.parse(text))
  } catch {
    return {}
  }
}
