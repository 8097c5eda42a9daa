import { createFileRoute } from '@tanstack/react-router'

import { AdminsOnly } from '../app/admins-only'
import { requireLogin } from '../app/guards'
import { PriceSyncPage } from '../features/catalogue/price-sync/price-sync-page'
import { PriceSyncSearch } from '../features/catalogue/price-sync/price-sync-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/admin/prices_/sync')({
  validateSearch: PriceSyncSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('price-sync', 'price-entry'),
  component: () => (
    <AdminsOnly grants="prices.read">
      <PriceSyncPage />
    </AdminsOnly>
  ),
})
