import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { ChatLinkPage } from '../features/chat/chat-link-page'

export const Route = createFileRoute('/chat2link')({ beforeLoad: requireLogin, component: ChatLinkPage })
