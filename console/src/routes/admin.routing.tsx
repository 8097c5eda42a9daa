import { createFileRoute } from '@tanstack/react-router'

import { AdminsOnly } from '../app/admins-only'
import { requireLogin } from '../app/guards'
import { RoutePage } from '../features/channels/route/route-page'
import { RouteSearch } from '../features/channels/route/route-search'

export const Route = createFileRoute('/admin/routing')({
  validateSearch: RouteSearch,
  beforeLoad: requireLogin,
  component: () => (
    <AdminsOnly grants="channels.read">
      <RoutePage />
    </AdminsOnly>
  ),
})
