import { createFileRoute } from '@tanstack/react-router'

import { AdminsOnly } from '../app/admins-only'
import { requireLogin } from '../app/guards'
import { PlanSearch } from '../features/plans/plan-search'
import { PlansPage } from '../features/plans/plans-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/admin/plans')({
  validateSearch: PlanSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('plans', 'plan'),
  component: () => (
    <AdminsOnly grants="orders.read">
      <PlansPage />
    </AdminsOnly>
  ),
})
