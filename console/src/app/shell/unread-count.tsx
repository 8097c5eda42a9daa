import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { createPortal } from 'react-dom'

import { useUnreadCount } from '../../features/messages/inbox/inbox-data'
import { useTranslation } from '../../lib/text/i18n'
import { MenuCount } from './menu-count'
import classes from './menu.module.css'

const pollMs = 30_000

/** The number of unread messages on the bell. Polled while the page is visible; new arrivals are announced. */
export function UnreadCount() {
  const { t } = useTranslation('shell')
  const { data: count } = useUnreadCount({ refetchInterval: pollMs })
  if (count === undefined) return null
  return (
    <span className={classes.onBell}>
      <MenuCount count={count} label={t('badge.unread', { count })} isDot={false} />
      <Arrivals count={count} />
    </span>
  )
}

/** Announces how many messages came since the page was opened, not those that were there or were read. */
function Arrivals({ count }: { readonly count: number }) {
  const { t } = useTranslation('shell')
  const [announced, setAnnounced] = useState({ count, came: 0 })
  if (count !== announced.count) setAnnounced({ count, came: Math.max(0, count - announced.count) })
  return createPortal(
    <VisuallyHidden role="status">
      {announced.came > 0 && t('badge.arrived', { count: announced.came })}
    </VisuallyHidden>,
    document.body,
  )
}
