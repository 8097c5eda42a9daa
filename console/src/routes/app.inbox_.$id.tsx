import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { MessagePage } from '../features/messages/inbox/message-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/app/inbox_/$id')({
  beforeLoad: requireLogin,
  loader: () => loadAreas('inbox'),
  component: MessagePage,
})
