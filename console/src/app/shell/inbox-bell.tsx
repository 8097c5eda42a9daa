import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

import { Tip } from '../../components/tip'
import { useTranslation } from '../../lib/text/i18n'

/** After everything that a page shows first. */
const delayMs = 5000

const UnreadCount = lazy(async () => {
  await new Promise((resolve) => setTimeout(resolve, delayMs))
  // Without a connection there is no count to show either.
  return import('./unread-count').then(
    ({ UnreadCount }) => ({ default: UnreadCount }),
    () => ({ default: () => null }),
  )
})

/** Links to the messages and shows how many are unread. */
export function InboxBell() {
  const { t } = useTranslation('shell')
  return (
    <Tip label={t('inbox')}>
      <ActionIcon component={Link} to="/app/inbox" pos="relative" style={{ overflow: 'visible' }}>
        <IconBell size={18} />
        <VisuallyHidden>{t('inbox')}</VisuallyHidden>
        <Suspense>
          <UnreadCount />
        </Suspense>
      </ActionIcon>
    </Tip>
  )
}
