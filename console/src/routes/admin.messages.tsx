import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { MessagesPage } from '../features/messages/messages-page'
import { MessagesSearch } from '../features/messages/message-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/admin/messages')({
  validateSearch: MessagesSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('messages'),
  component: MessagesPage,
})
