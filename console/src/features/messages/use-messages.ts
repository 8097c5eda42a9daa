import { messageRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/api/query'
import { searchOf } from './messages-query'
import type { MessagesSearch } from './messages-search'

export type SentMessage = messageRoutes.MessageEntity

/** A page of messages: all, or those that match a search. */
export function useMessages(search: MessagesSearch, paging: { readonly page: number; readonly size: number }) {
  const query = { p: paging.page, page_size: paging.size }
  const asked = searchOf(search, Date.now() / 1000)
  const all = useRead(messageRoutes.listMessages, { query }, { enabled: asked === null })
  const found = useRead(messageRoutes.searchMessages, { query: { ...query, ...asked } }, { enabled: asked !== null })
  return asked === null ? all : found
}

/** Reads to refresh when messages change; the sender may be a recipient, too. */
export const messageReads = [
  messageRoutes.listMessages,
  messageRoutes.searchMessages,
  messageRoutes.getMessage,
  messageRoutes.listRecipients,
  messageRoutes.listInbox,
  messageRoutes.unreadCount,
  messageRoutes.readInboxMessage,
] as const

/** Width of the drawers that write and edit a message. */
export const drawerWidth = 900
