import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { DocumentPage } from '../features/payments/wallet/document/document-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/app/wallet_/document/$number')({
  beforeLoad: requireLogin,
  loader: () => loadAreas('document', 'wallet'),
  component: DocumentPage,
})
