import { createFileRoute } from '@tanstack/react-router'

import { AdminsOnly } from '../app/admins-only'
import { requireLogin } from '../app/guards'
import { AllTokenSearch } from '../features/tokens/all/all-token-search'
import { AllTokensPage } from '../features/tokens/all/all-tokens-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/admin/tokens')({
  validateSearch: AllTokenSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('tokens'),
  component: () => (
    <AdminsOnly grants="users.read">
      <AllTokensPage />
    </AdminsOnly>
  ),
})
