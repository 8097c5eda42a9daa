import { createFileRoute } from '@tanstack/react-router'

import { ChatSearch } from '../features/chat/chat-search'
import { ChatPage } from '../features/chat/chat-page'

export const Route = createFileRoute('/chat/{-$id}')({ validateSearch: ChatSearch, component: ChatPage })
