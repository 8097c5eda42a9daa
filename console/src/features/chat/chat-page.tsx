import { getRouteApi, Navigate } from '@tanstack/react-router'

import { useViewer } from '../../lib/session'
import classes from './chat.module.css'
import type { ChatTarget } from './chat-link'
import { ChatState } from './chat-state'
import { useChatLink } from './use-chat-link'

const route = getRouteApi('/chat/{-$id}')

/** A chat page of the operator's choice, filled with a key of the reader's. */
export function ChatPage() {
  const { id } = route.useParams()
  const { user } = useViewer()
  const { token } = route.useSearch()
  if (!user) return <Navigate to="/login" search={{ returnTo: `/chat/${id ?? ''}` }} />
  return <EmbeddedChat index={id === undefined ? undefined : Number(id)} tokenId={token} />
}

/** Scripts of another site may run and keep what they store; those of ours would reach the whole console, so they get no origin. */
function sandboxFor({ isOwn }: ChatTarget): string {
  const usual = 'allow-scripts allow-forms allow-popups allow-downloads'
  return isOwn ? usual : `${usual} allow-same-origin`
}

interface EmbeddedChatProps {
  readonly index: number | undefined
  readonly tokenId: number | undefined
}

function EmbeddedChat(props: EmbeddedChatProps) {
  const state = useChatLink(props)
  if (state.kind !== 'ready') return <ChatState state={state} />
  return (
    <iframe
      className={classes.chat}
      src={state.target.link}
      title={state.name}
      allow="clipboard-write; microphone"
      sandbox={sandboxFor(state.target)}
      referrerPolicy="no-referrer"
    />
  )
}
