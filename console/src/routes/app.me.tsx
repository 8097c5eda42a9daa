import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { MePage } from '../features/account/me/me-page'
import { MeSearch } from '../features/account/me/me-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/app/me')({
  validateSearch: MeSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('me'),
  component: MePage,
})
