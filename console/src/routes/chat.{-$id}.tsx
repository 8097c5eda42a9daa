import { createFileRoute } from '@tanstack/react-router'

import { ChatSearch } from '../features/playground/playground-search'
import { ChatPage } from '../features/playground/chat/chat-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/chat/{-$id}')({
  validateSearch: ChatSearch,
  loader: () => loadAreas('chat'),
  component: ChatPage,
})
