import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { WalletPage } from '../features/payments/wallet/wallet-page'
import { WalletSearch } from '../features/payments/wallet/wallet-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/app/wallet')({
  validateSearch: WalletSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('wallet', 'order', 'document'),
  component: WalletPage,
})
