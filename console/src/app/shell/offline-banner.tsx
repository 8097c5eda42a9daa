import { IconPlugConnectedX } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import classes from './offline-banner.module.css'

/** Shown while the browser is offline. */
export function OfflineBanner() {
  const { t } = useTranslation('shell')
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status">
      {!isOnline && (
        <div className={classes.banner}>
          <IconPlugConnectedX size={18} stroke={1.7} aria-hidden />
          {t('offline')}
        </div>
      )}
    </div>
  )
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}
