import { messageRoutes, type RouteResult } from '@tollgate/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

import { call } from '../../../lib/api/api'
import { useRead } from '../../../lib/api/query'
import { nowSeconds } from '../../../lib/text/use-now'

type Message = messageRoutes.InboxMessage
type Inbox = RouteResult<typeof messageRoutes.listInbox>
type Unread = RouteResult<typeof messageRoutes.unreadCount>

/** Reads that show messages. */
export const inboxReads = [messageRoutes.listInbox, messageRoutes.unreadCount, messageRoutes.readInboxMessage] as const

export const useUnreadCount = (options: { readonly refetchInterval?: number } = {}) =>
  useRead(messageRoutes.unreadCount, undefined, { ...options, select: ({ unread_count: count }) => count })

/** Returns a function that marks a message as read: in the browser at once, then on the server. */
export function useMarkRead(): (id: number) => Promise<void> {
  const client = useQueryClient()
  return useCallback(
    async (id: number) => {
      client.setQueriesData<Inbox>(
        { queryKey: [messageRoutes.listInbox.path] },
        (list) =>
          list && { ...list, items: list.items.map((message) => (message.id === id ? asRead(message) : message)) },
      )
      client.setQueriesData<Message>(
        { queryKey: [messageRoutes.readInboxMessage.path] },
        (message) => message && (message.id === id ? asRead(message) : message),
      )
      client.setQueriesData<Unread>(
        { queryKey: [messageRoutes.unreadCount.path] },
        (unread) => unread && { unread_count: Math.max(0, unread.unread_count - 1) },
      )
      try {
        await call(messageRoutes.markRead, { params: { id } })
      } catch (error) {
        // oxlint-disable-next-line no-console -- The reader has the message, which is what counts.
        console.error('The message was not marked as read:', error)
      }
      await client.invalidateQueries({ queryKey: [messageRoutes.unreadCount.path] })
    },
    [client],
  )
}

const asRead = (message: Message): Message => ({ ...message, is_read: true, read_at: nowSeconds() })
