import { daySeconds, messageRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/api/query'
import type { MessagesSearch } from './message-search'
import { rangeOf } from '../../lib/text/range-of'

export type SentMessage = messageRoutes.MessageEntity

/** A page of messages: all, or those that match a search. */
export function useMessages(search: MessagesSearch, paging: { readonly page: number; readonly size: number }) {
  const query = { p: paging.page, page_size: paging.size }
  const filters = searchOf(search, Date.now() / 1000)
  const all = useRead(messageRoutes.listMessages, { query }, { enabled: filters === null })
  const found = useRead(
    messageRoutes.searchMessages,
    { query: { ...query, ...filters } },
    { enabled: filters !== null },
  )
  return filters === null ? all : found
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

type Filters = Pick<MessagesSearch, 'keyword' | 'range' | 'from' | 'to'>

/** Returns the search parameters; null without filters. The server requires both ends of a range, or none. Pure. */
export function searchOf({ keyword, range, from, to }: Filters, nowSeconds: number) {
  const { start_timestamp: start, end_timestamp: end } = rangeOf({ range, from, to }, nowSeconds)
  if (start === undefined && end === undefined) return keyword === undefined ? null : { keyword }
  const tomorrow = Math.floor(nowSeconds / 60) * 60 + daySeconds
  return { keyword, start_date: isoOf(start ?? 0), end_date: isoOf(end ?? tomorrow) }
}

const isoOf = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString()

export const noFilters: Partial<MessagesSearch> = {
  keyword: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
}
