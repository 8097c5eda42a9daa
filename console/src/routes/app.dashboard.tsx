import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { DashboardPage } from '../features/dashboard/dashboard-page'
import { DashboardSearch } from '../features/dashboard/dashboard-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/app/dashboard')({
  validateSearch: DashboardSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('dashboard'),
  component: DashboardPage,
})
