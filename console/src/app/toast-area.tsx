import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'

import { Notifications, notifications } from '@mantine/notifications'
import { useEffect } from 'react'

import { setToastArea } from '../lib/notify'

export function ToastArea() {
  useEffect(() => {
    setToastArea((toast) => notifications.show({ ...toast }))
    return () => setToastArea(undefined)
  }, [])
  return <Notifications position="top-right" limit={4} />
}
