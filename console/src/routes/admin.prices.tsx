import { createFileRoute } from '@tanstack/react-router'

import { AdminsOnly } from '../app/admins-only'
import { requireLogin } from '../app/guards'
import { PricesPage } from '../features/catalogue/prices/prices-page'
import { PricesSearch } from '../features/catalogue/prices/price-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/admin/prices')({
  validateSearch: PricesSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('prices', 'price-entry'),
  component: () => (
    <AdminsOnly grants="prices.read">
      <PricesPage />
    </AdminsOnly>
  ),
})
