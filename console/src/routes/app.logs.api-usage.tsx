import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { LogSearch } from '../features/logs/log-search'
import { LogsPage } from '../features/logs/logs-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/app/logs/api-usage')({
  validateSearch: LogSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('logs'),
  component: LogsPage,
})
