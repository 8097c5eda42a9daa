import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { DrawingsPage } from '../features/tasks/drawings-page'
import { TaskSearch } from '../features/tasks/task-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/app/logs/drawing')({
  validateSearch: TaskSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('tasks'),
  component: DrawingsPage,
})
