import { createContext, useContext, useSyncExternalStore } from 'react'

import type { Chat } from '../chat/chat'
import { hasArriving, type Session } from '../session/session'

export const ChatContext = createContext<Chat | null>(null)

/** Returns the chat of the page. */
export function useChat(): Chat {
  const chat = useContext(ChatContext)
  if (!chat) throw new Error('there is no chat around this component')
  return chat
}

/** Returns a part of the session, rendering again only when that part changes. Select what is in it, never a new object. */
export function useSession<T>(select: (session: Session) => T): T {
  const chat = useChat()
  return useSyncExternalStore(chat.subscribe, () => select(chat.get()))
}

/** Whether a response is arriving, in one lane or in any. */
export const useIsArriving = (laneId?: string): boolean => useSession((session) => hasArriving(session, laneId))

/** What is inspected: the raw data of a response, or the next call as code. */
export interface Inspected {
  readonly answerId?: string
}

export const InspectContext = createContext<(inspected: Inspected) => void>(() => {})

export const useInspect = () => useContext(InspectContext)
