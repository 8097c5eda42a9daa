import { getRouteApi } from '@tanstack/react-router'

import { useSearchChange } from '../../lib/url/use-search-change'
import { CallbackNotice } from './callback-notice'
import { drawings } from './task-kinds'
import { TaskLog } from './task-log'
import type { TaskSearch } from './task-search'

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
