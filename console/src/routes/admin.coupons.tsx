import { createFileRoute } from '@tanstack/react-router'

import { AdminsOnly } from '../app/admins-only'
import { requireLogin } from '../app/guards'
import { CouponSearch } from '../features/redemption-codes/redemption-code-search'
import { CouponsPage } from '../features/redemption-codes/redemption-codes-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/admin/coupons')({
  validateSearch: CouponSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('coupons'),
  component: () => (
    <AdminsOnly grants="codes.read">
      <CouponsPage />
    </AdminsOnly>
  ),
})
