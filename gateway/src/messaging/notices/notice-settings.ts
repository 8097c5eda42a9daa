import { readUserSetting } from '@tollgate/contract'

/** Returns where and in which language a user is notified, from the stored setting. */
export function noticeSettings(setting: string) {
  const { notify_type, notification_email, webhook_url, language = 'zh' } = readUserSetting({ setting })
  return { notify_type, notification_email, webhook_url, language }
}
