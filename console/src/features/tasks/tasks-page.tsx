import { getRouteApi } from '@tanstack/react-router'
import { loggedPlatforms } from '@tollgate/contract'

import { RouteTabs } from '../../components/page/route-tabs'
import { useTranslation } from '../../lib/text/i18n'
import { useSearchChange } from '../../lib/url/use-search-change'
import { otherTasks } from './task-data'
import { TaskLog } from './task-log'
import type { TaskSearch } from './task-search'
import classes from './tasks.module.css'

const route = getRouteApi('/app/logs/tasks')

/** Music, videos and other tasks of today. */
export function TasksPage() {
  const { t } = useTranslation('tasks')
  const search = route.useSearch()
  const setSearch = useSearchChange<TaskSearch>(route.useNavigate())
  const { page: _page, open: _open, action: _action, ...otherFilters } = search
  return (
    <TaskLog kind={otherTasks} search={search} setSearch={setSearch}>
      <div className={classes.tabs}>
        <RouteTabs
          label={t('task.parts')}
          current={search.platform ?? 'all'}
          tabs={(['all', ...loggedPlatforms] as const).map((name) => ({
            name,
            label: t(`tab.${name}`),
            link: { to: '/app/logs/tasks', search: { ...otherFilters, platform: name === 'all' ? undefined : name } },
          }))}
        />
      </div>
    </TaskLog>
  )
}
