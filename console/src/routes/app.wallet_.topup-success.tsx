import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { TopUpSuccessPage } from '../features/payments/wallet/top-up-success-page'
import { TopUpSuccessSearch } from '../features/payments/wallet/wallet-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/app/wallet_/topup-success')({
  validateSearch: TopUpSuccessSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('wallet', 'order'),
  component: () => <TopUpSuccessPage />,
})
