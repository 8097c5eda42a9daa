import { createFileRoute } from '@tanstack/react-router'

import { AdminsOnly } from '../app/admins-only'
import { requireLogin } from '../app/guards'
import { EarningSearch } from '../features/dashboard/earnings/earning-search'
import { EarningsPage } from '../features/dashboard/earnings/earnings-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/admin/earnings')({
  validateSearch: EarningSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('earnings', 'dashboard'),
  component: () => (
    <AdminsOnly grants="costs.read">
      <EarningsPage />
    </AdminsOnly>
  ),
})
