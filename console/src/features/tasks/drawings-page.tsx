import { getRouteApi, Link } from '@tanstack/react-router'
import { Text } from '@mantine/core'

import { useSearchChange } from '../../lib/url/use-search-change'
import { drawings } from './task-data'
import { TaskLog } from './task-log'
import type { TaskSearch } from './task-search'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { useSite } from '../../lib/api/status'

const route = getRouteApi('/app/logs/drawing')

/** Drawings of the last 30 days, with their pictures. */
export function DrawingsPage() {
  const setSearch = useSearchChange<TaskSearch>(route.useNavigate())
  return (
    <TaskLog kind={drawings} search={route.useSearch()} setSearch={setSearch}>
      <CallbackNotice />
    </TaskLog>
  )
}

/** Tells administrators that drawing services are not asked to report progress. */
function CallbackNotice() {
  const { t } = useTranslation('tasks')
  const { mj_notify_enabled: isOn } = useSite()
  const { isAdmin, may } = useViewer()
  if (isOn || !isAdmin) return null
  return (
    <Text size="sm" c="dimmed" mb="sm">
      {t('callbacks.off')}{' '}
      {may('settings.write') && (
        <Link to="/admin/settings" search={{ page: 'drawing' }}>
          {t('callbacks.change')}
        </Link>
      )}
    </Text>
  )
}
