import type { userRoutes } from '@tollgate/contract'
import * as z from 'zod'

const text = z.string().catch('')

/** In quota: what a reader who chose none is offered. */
const usualThreshold = 500_000

const NoticeSettings = z.object({
  notify_type: z.enum(['email', 'webhook']).catch('email'),
  quota_warning_threshold: z.number().positive().catch(usualThreshold),
  notification_email: text,
  webhook_url: text,
})
export type NoticeSettings = z.output<typeof NoticeSettings>

/** What the settings JSON of a user says of notices; what is missing or not understood is as for a user who set nothing. */
export function noticeSettingsOf({ setting }: Pick<userRoutes.UserEntity, 'setting'>): NoticeSettings {
  try {
    return NoticeSettings.parse(JSON.parse(setting))
  } catch {
    return NoticeSettings.parse({})
  }
}
