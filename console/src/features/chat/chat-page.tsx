import { getRouteApi, Navigate } from '@tanstack/react-router'

import { useViewer } from '../../lib/session'
import classes from './chat.module.css'
import { ChatState } from './chat-state'
import { useChatLink } from './use-chat-link'

const route = getRouteApi('/chat/{-$id}')

/** A chat page of the operator's choice, filled with a key of the reader's. */
export function ChatPage() {
  const { id } = route.useParams()
  const { user } = useViewer()
  if (!user) return <Navigate to="/login" search={{ returnTo: `/chat/${id ?? ''}` }} />
  return <EmbeddedChat index={Number(id ?? 0)} />
}

/** Scripts of another site may run and keep what they store; those of ours would reach the whole console, so they get no origin. */
function sandboxFor(link: string): string {
  const usual = 'allow-scripts allow-forms allow-popups allow-downloads'
  return new URL(link).origin === location.origin ? usual : `${usual} allow-same-origin`
}

function EmbeddedChat({ index }: { readonly index: number }) {
  const state = useChatLink(index)
  if (state.kind !== 'ready') return <ChatState state={state} />
  return (
    <iframe
      className={classes.chat}
      src={state.link}
      title={state.name}
      allow="clipboard-write; microphone"
      sandbox={sandboxFor(state.link)}
      referrerPolicy="no-referrer"
    />
  )
}
