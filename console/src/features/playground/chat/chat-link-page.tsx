import { useEffect } from 'react'

import { PageLoading } from '../../../components/page/page-loading'
import { ChatState } from './chat-state'
import { useChatLink } from './use-chat-link'

/** Redirects to the first chat page of the operator's list. */
export function ChatLinkPage() {
  const state = useChatLink({})
  const link = state.kind === 'ready' ? state.target.link : undefined
  useEffect(() => {
    if (link) location.replace(link)
  }, [link])
  return state.kind === 'ready' ? <PageLoading /> : <ChatState state={state} />
}
