import { z } from 'zod'

import { chosenLanguage } from '../accounts/users/chosen-language'
import { parsedJson } from '../parsed-json'

const text = z.string().trim().catch('')

/** Where a user wants to be told, as the setting JSON says. */
const NoticeSettings = z.object({
  notify_type: z.enum(['email', 'webhook']).catch('email'),
  /** Empty: the address of the account. */
  notification_email: text,
  webhook_url: text,
})

/** What is missing or not understood is as it is for a user who set nothing. */
export function noticeSettings(setting: string) {
  const { data = NoticeSettings.parse({}) } = NoticeSettings.safeParse(parsedJson(setting))
  return { ...data, language: chosenLanguage(setting) ?? 'zh' }
}
