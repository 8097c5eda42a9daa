import { readFields, UserSetting } from '@tollgate/contract'
import type * as z from 'zod'

const NoticeSettings = UserSetting.pick({
  notify_type: true,
  quota_warning_threshold: true,
  notification_email: true,
  webhook_url: true,
})
export type NoticeSettings = z.output<typeof NoticeSettings>

/** Returns the notification settings of a user, with defaults for what is not set. */
export const noticeSettingsOf = ({ setting }: { readonly setting: string }): NoticeSettings =>
  readFields(NoticeSettings, setting)
