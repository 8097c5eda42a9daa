import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { InboxPage } from '../features/messages/inbox/inbox-page'
import { InboxSearch } from '../features/messages/inbox/inbox-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/app/inbox')({
  validateSearch: InboxSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('inbox'),
  component: InboxPage,
})
