import { createFileRoute } from '@tanstack/react-router'

import { AdminsOnly } from '../app/admins-only'
import { requireLogin } from '../app/guards'
import { OrderSearch } from '../features/payments/orders/order-search'
import { OrdersPage } from '../features/payments/orders/orders-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/admin/orders')({
  validateSearch: OrderSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('orders', 'order', 'document'),
  component: () => (
    <AdminsOnly grants="orders.read">
      <OrdersPage />
    </AdminsOnly>
  ),
})
