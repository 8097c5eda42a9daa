import { Alert } from '@mantine/core'
import { Link } from '@tanstack/react-router'

import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { useSite } from '../../lib/api/status'

/** Tells administrators that drawing services are not asked to report progress. */
export function CallbackNotice() {
  const { t } = useTranslation('tasks')
  const { mj_notify_enabled: isOn } = useSite()
  const { isAdmin, may } = useViewer()
  if (isOn || !isAdmin) return null
  return (
    <Alert color="yellow" p="xs" mb="sm">
      {t('callbacks.off')}{' '}
      {may('settings.write') && (
        <Link to="/admin/settings" search={{ page: 'drawing' }}>
          {t('callbacks.change')}
        </Link>
      )}
    </Alert>
  )
}
