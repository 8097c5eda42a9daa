import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { TasksPage } from '../features/tasks/tasks-page'
import { TaskSearch } from '../features/tasks/task-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/app/logs/tasks')({
  validateSearch: TaskSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('tasks'),
  component: TasksPage,
})
