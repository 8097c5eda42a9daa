import { readFields, readUserSetting, UserSetting } from '@tollgate/contract'

const Language = UserSetting.pick({ language: true })

/** Returns the language that a user chose, from the stored setting; undefined for a user who chose none. */
export const chosenLanguage = (setting: string) => readFields(Language, setting).language

/** Returns where and in which language a user is notified, from the stored setting. */
export function noticeSettings(setting: string) {
  const { notify_type, notification_email, webhook_url, language = 'zh' } = readUserSetting({ setting })
  return { notify_type, notification_email, webhook_url, language }
}
