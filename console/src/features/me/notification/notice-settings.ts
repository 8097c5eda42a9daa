import { readFields, UserSetting } from '@tollgate/contract'
import type * as z from 'zod'

const NoticeSettings = UserSetting.pick({
  notify_type: true,
  quota_warning_threshold: true,
  notification_email: true,
  webhook_url: true,
})
export type NoticeSettings = z.output<typeof NoticeSettings>

/** Returns how a user is notified; what is not set has its default. */
export const noticeSettingsOf = ({ setting }: { readonly setting: string }): NoticeSettings =>
  readFields(NoticeSettings, setting)
