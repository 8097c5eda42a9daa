import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { MePage } from '../features/me/me-page'
import { loadAreas } from '../lib/i18n'

export const Route = createFileRoute('/app/me')({
  beforeLoad: requireLogin,
  loader: () => loadAreas('me'),
  component: MePage,
})
