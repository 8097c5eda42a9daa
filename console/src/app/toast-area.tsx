import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'

import { Notifications, notifications } from '@mantine/notifications'
import { useEffect } from 'react'

import { useTranslation } from '../lib/text/i18n'
import { setToastArea } from '../lib/browser/notify'
import classes from './toast-area.module.css'

export function ToastArea() {
  const { t } = useTranslation()
  useEffect(() => {
    setToastArea((toast) => notifications.show({ ...toast, closeButtonProps: { 'aria-label': t('close') } }))
    return () => setToastArea(undefined)
  }, [t])
  return <Notifications position="bottom-right" limit={4} classNames={{ root: classes.area }} />
}
