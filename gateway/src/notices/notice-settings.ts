import { z } from 'zod'

const text = z.string().trim().catch('')

/** Where a user wants to be told, as the setting JSON says. */
const NoticeSettings = z.object({
  notify_type: z.enum(['email', 'webhook']).catch('email'),
  /** Empty: the address of the account. */
  notification_email: text,
  webhook_url: text,
  language: z.enum(['zh', 'en']).catch('zh'),
})
export type NoticeSettings = z.output<typeof NoticeSettings>

/** What is missing or not understood is as it is for a user who set nothing. */
export function noticeSettings(setting: string): NoticeSettings {
  try {
    return NoticeSettings.parse(JSON.parse(setting))
  } catch {
    return NoticeSettings.parse({})
  }
}
