import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { AccountPage } from '../features/account/account-page'
import { AccountSearch } from '../features/account/account-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/app/me')({
  validateSearch: AccountSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('account'),
  component: AccountPage,
})
