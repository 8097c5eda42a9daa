import { IconBrain, IconKey, IconListDetails, IconPlugConnected, IconUser } from '@tabler/icons-react'
import { channelRoutes, logRoutes, modelRoutes, pageIn, tokenRoutes, userRoutes } from '@tollgate/contract'

import { useRead } from '../../../lib/query'
import { useViewer } from '../../../lib/session'
import type { Command } from './command'
import { matching } from './matching'

/** Of each kind; who looks for more goes to the page. */
const mostFound = 5

interface Found {
  readonly commands: readonly Command[]
  readonly isSearching: boolean
}

const none: Found = { commands: [], isSearching: false }

/** Answers of an earlier query are none of this one. */
const foundOf = ({ data, isPlaceholderData: isOld, isLoading }: Answer<readonly Command[]>, isAsked: boolean): Found =>
  isAsked ? { commands: isOld ? [] : (data ?? []), isSearching: isLoading || isOld } : none

interface Answer<Data> {
  readonly data: Data | undefined
  readonly isPlaceholderData: boolean
  readonly isLoading: boolean
}

/** Tokens by name. */
export function useTokenCommands(keyword: string): Found {
  const isAsked = keyword !== ''
  const answer = useRead(
    tokenRoutes.searchTokens,
    { query: { keyword, p: 0, page_size: mostFound } },
    {
      enabled: isAsked,
      select: (found) =>
        pageIn(found).items.map(({ id, name }): Command => ({
          id: `token-${id}`,
          kind: 'token',
          label: name,
          hint: `#${id}`,
          icon: IconKey,
          does: { to: '/app/tokens', search: { keyword: name } },
        })),
    },
  )
  return foundOf(answer, isAsked)
}

/** Channels by name, address or id, for administrators. */
export function useChannelCommands(keyword: string): Found {
  const isAsked = useViewer().isAdmin && keyword !== ''
  const answer = useRead(
    channelRoutes.searchChannels,
    { query: { keyword, p: 1, page_size: mostFound } },
    {
      enabled: isAsked,
      select: (found) =>
        pageIn(found).items.map(({ id, name }): Command => ({
          id: `channel-${id}`,
          kind: 'channel',
          label: name,
          hint: `#${id}`,
          icon: IconPlugConnected,
          does: { to: '/admin/channels', search: { edit: String(id) } },
        })),
    },
  )
  return foundOf(answer, isAsked)
}

/** Users by name, mail address or id, for administrators; each leads to their calls of the last week. */
export function useUserCommands(keyword: string): Found {
  const isAsked = useViewer().isAdmin && keyword !== ''
  const answer = useRead(
    userRoutes.searchUsers,
    { query: { keyword, p: 1, page_size: mostFound } },
    {
      enabled: isAsked,
      select: ({ items }) =>
        items.map(({ id, username, display_name: name }): Command => ({
          id: `user-${id}`,
          kind: 'user',
          label: username,
          hint: name && name !== username ? name : `#${id}`,
          icon: IconUser,
          does: { to: '/app/logs/api-usage', search: { username, range: 'week' } },
        })),
    },
  )
  return foundOf(answer, isAsked)
}

/** Models the reader may call; each leads to its price. */
export function useModelCommands(keyword: string): Found {
  const isAsked = keyword !== ''
  const answer = useRead(
    modelRoutes.ownModels,
    {},
    {
      enabled: isAsked,
      staleTime: 60_000,
      select: (models) =>
        matching(
          models.map((model) => ({
            id: `model-${model}`,
            kind: 'model',
            label: model,
            icon: IconBrain,
            does: { to: '/pricing', search: { keyword: model } },
          })),
          keyword,
        ).slice(0, mostFound),
    },
  )
  return foundOf(answer, isAsked)
}

/** As the gateway names calls: 26 characters of Crockford's base 32. */
const requestId = /^[0-9A-HJKMNP-TV-Z]{26}$/

/** The call with a request id that was pasted. */
export function useCallCommands(keyword: string): Found {
  const id = keyword.toUpperCase()
  const isAsked = requestId.test(id)
  const { isAdmin } = useViewer()
  const select = ({ items }: { readonly items: readonly { readonly id: number; readonly model_name: string }[] }) =>
    items.slice(0, 1).map((row): Command => ({
      id: `call-${id}`,
      kind: 'call',
      label: id,
      hint: row.model_name,
      icon: IconListDetails,
      does: { to: '/app/logs/api-usage', search: { request: id, open: row.id } },
    }))
  const query = { query: { request_id: id, joined: true, p: 1, page_size: mostFound } }
  const all = useRead(logRoutes.listLogs, query, { enabled: isAsked && isAdmin, select })
  const own = useRead(logRoutes.listOwnLogs, query, { enabled: isAsked && !isAdmin, select })
  return foundOf(isAdmin ? all : own, isAsked)
}
