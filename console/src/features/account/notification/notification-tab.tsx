import { Stack } from '@mantine/core'
import { accountRoutes } from '@tollgate/contract'

import { useRead } from '../../../lib/api/query'
import { ReadState } from '../account-section'
import { DeliveriesSection } from './deliveries-section'
import { NoticeForm, noticeSettingsOf } from './notice-form'

const placeholderHeight = 320

/** Notifications of a low balance, and webhook deliveries. */
export function NotificationTab() {
  const read = useRead(accountRoutes.getSelf, {})
  const { data } = read
  if (!data) return <ReadState read={read} height={placeholderHeight} />
  const settings = noticeSettingsOf(data)
  return (
    <Stack gap="md">
      {/* Remounted with the saved values. */}
      <NoticeForm key={data.setting} settings={settings} accountMail={data.email} />
      <DeliveriesSection isHiddenWhenEmpty={settings.notify_type !== 'webhook'} />
    </Stack>
  )
}
