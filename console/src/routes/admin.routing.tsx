import { createFileRoute } from '@tanstack/react-router'

import { AdminsOnly } from '../app/admins-only'
import { requireLogin } from '../app/guards'
import { RoutePage } from '../features/channels/route/route-page'
import { RouteSearch } from '../features/channels/route/route-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/admin/routing')({
  validateSearch: RouteSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('routing', 'channels'),
  component: () => (
    <AdminsOnly grants="channels.read">
      <RoutePage />
    </AdminsOnly>
  ),
})
