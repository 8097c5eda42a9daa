import { Skeleton, Stack } from '@mantine/core'
import { selfRoutes } from '@tollgate/contract'

import { ErrorState } from '../../../components/error-state'
import { useRead } from '../../../lib/query'
import { DeliveriesSection } from './deliveries-section'
import { NoticeForm } from './notice-form'
import { noticeSettingsOf } from './notice-settings'

const placeholderHeight = 320

/** Where the reader is told of a low balance, and what became of webhooks. */
export function NotificationTab() {
  const { data, error, refetch } = useRead(selfRoutes.getSelf, {})
  if (!data)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} isSmall />
    ) : (
      <Skeleton h={placeholderHeight} />
    )
  const settings = noticeSettingsOf(data)
  return (
    <Stack gap="md">
      {/* Filled in again with what was saved. */}
      <NoticeForm key={data.setting} settings={settings} accountMail={data.email} />
      {settings.notify_type === 'webhook' && <DeliveriesSection />}
    </Stack>
  )
}
