import { createFileRoute } from '@tanstack/react-router'

import { AdminsOnly } from '../app/admins-only'
import { requireLogin } from '../app/guards'
import { RedemptionCodeSearch } from '../features/redemption-codes/redemption-code-search'
import { RedemptionCodesPage } from '../features/redemption-codes/redemption-codes-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/admin/coupons')({
  validateSearch: RedemptionCodeSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('redemption-codes'),
  component: () => (
    <AdminsOnly grants="codes.read">
      <RedemptionCodesPage />
    </AdminsOnly>
  ),
})
