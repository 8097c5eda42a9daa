import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { ChatLinkPage } from '../features/playground/chat/chat-link-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/chat2link')({
  beforeLoad: requireLogin,
  loader: () => loadAreas('chat'),
  component: ChatLinkPage,
})
