import { createContext, useContext, useSyncExternalStore } from 'react'

import type { Chat } from '../chat/create-chat'
import { hasArriving, type Session } from '../session/session'

export const ChatContext = createContext<Chat | null>(null)

/** The chat of the page. */
export function useChat(): Chat {
  const chat = useContext(ChatContext)
  if (!chat) throw new Error('there is no chat around this component')
  return chat
}

/** A part of the session; drawn anew only when that part is another. Select what is in it, never something new. */
export function useSession<T>(select: (session: Session) => T): T {
  const chat = useChat()
  return useSyncExternalStore(chat.subscribe, () => select(chat.get()))
}

/** Whether an answer is on its way, in a lane or at all. */
export const useIsArriving = (laneId?: string): boolean => useSession((session) => hasArriving(session, laneId))
