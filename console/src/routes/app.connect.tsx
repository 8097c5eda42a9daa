import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { ConnectPage } from '../features/connect/connect-page'
import { ConnectSearch } from '../features/connect/connect-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/app/connect')({
  validateSearch: ConnectSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('connect', 'first-call'),
  component: ConnectPage,
})
