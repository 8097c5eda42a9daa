import { getRouteApi, Navigate } from '@tanstack/react-router'

import { useViewer } from '../../../lib/api/session'
import { ChatFrame } from './chat-frame'
import { ChatState } from './chat-state'
import { useChatLink } from './use-chat-link'

const route = getRouteApi('/chat/{-$id}')

/** A chat page of the operator's list, with one of the reader's keys. */
export function ChatPage() {
  const { id } = route.useParams()
  const { user } = useViewer()
  const { token } = route.useSearch()
  if (!user) return <Navigate to="/login" search={{ returnTo: `/chat/${id ?? ''}` }} />
  return <EmbeddedChat index={id === undefined ? undefined : Number(id)} tokenId={token} />
}

interface EmbeddedChatProps {
  readonly index: number | undefined
  readonly tokenId: number | undefined
}

function EmbeddedChat(props: EmbeddedChatProps) {
  const state = useChatLink(props)
  return state.kind === 'ready' ? <ChatFrame chat={state} /> : <ChatState state={state} />
}
