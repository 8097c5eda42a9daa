import { IconBrain, IconKey, IconListDetails, IconPlugConnected, IconUser } from '@tabler/icons-react'
import { channelRoutes, logRoutes, modelRoutes, pageIn, tokenRoutes, userRoutes } from '@tollgate/contract'
import type { Route, RouteResult, RouteSent } from '@tollgate/contract'

import { useRead } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import type { Command } from './command'
import { matching } from './matching'

/** Results of each kind; the page itself finds more. */
const maxResults = 5

interface Found {
  readonly commands: readonly Command[]
  readonly isSearching: boolean
}

const noCommands: Found = { commands: [], isSearching: false }

/** Makes commands from the response of a call. Responses to an earlier query are dropped. */
function useFound<R extends Route>(
  route: R,
  sent: RouteSent<R>,
  isEnabled: boolean,
  commandsOf: (answer: RouteResult<R>) => readonly Command[],
  staleTime?: number,
): Found {
  const { data, isPlaceholderData: isOld, isLoading } = useRead(route, sent, { enabled: isEnabled, staleTime })
  if (!isEnabled) return noCommands
  return { commands: data === undefined || isOld ? [] : commandsOf(data), isSearching: isLoading || isOld }
}

/** Finds tokens by name. */
export function useTokenCommands(keyword: string): Found {
  const query = { keyword, p: 0, page_size: maxResults }
  return useFound(tokenRoutes.searchTokens, { query }, keyword !== '', (found) =>
    pageIn(found).items.map(({ id, name }) => ({
      id: `token-${id}`,
      kind: 'token',
      label: name,
      hint: `#${id}`,
      icon: IconKey,
      does: { to: '/app/tokens', search: { keyword: name } },
    })),
  )
}

/** Finds channels by name, address or id, for administrators. */
export function useChannelCommands(keyword: string): Found {
  const mayRead = useViewer().may('channels.read')
  const query = { keyword, p: 1, page_size: maxResults }
  return useFound(channelRoutes.searchChannels, { query }, mayRead && keyword !== '', (found) =>
    pageIn(found).items.map(({ id, name }) => ({
      id: `channel-${id}`,
      kind: 'channel',
      label: name,
      hint: `#${id}`,
      icon: IconPlugConnected,
      does: { to: '/admin/channels', search: { edit: String(id) } },
    })),
  )
}

/** Finds users by name, mail address or id, for administrators; each links to their calls of the last week. */
export function useUserCommands(keyword: string): Found {
  const mayRead = useViewer().may('users.read')
  const query = { keyword, p: 1, page_size: maxResults }
  return useFound(userRoutes.searchUsers, { query }, mayRead && keyword !== '', ({ items }) =>
    items.map(({ id, username, display_name: name }) => ({
      id: `user-${id}`,
      kind: 'user',
      label: username,
      hint: name && name !== username ? name : `#${id}`,
      icon: IconUser,
      does: { to: '/app/logs/api-usage', search: { username, range: 'week' } },
    })),
  )
}

/** The list of models is read once for many keystrokes. */
const modelsFreshMs = 60_000

/** Finds models that the reader may call; each links to its price. */
export function useModelCommands(keyword: string): Found {
  const commandsOf = (models: readonly string[]) =>
    models.map((model): Command => ({
      id: `model-${model}`,
      kind: 'model',
      label: model,
      icon: IconBrain,
      does: { to: '/pricing', search: { keyword: model } },
    }))
  return useFound(
    modelRoutes.ownModels,
    {},
    keyword !== '',
    (models) => matching(commandsOf(models), keyword).slice(0, maxResults),
    modelsFreshMs,
  )
}

/** The gateway's request ids: 26 characters of Crockford's base 32. */
const requestId = /^[0-9A-HJKMNP-TV-Z]{26}$/

/** Finds the call with a pasted request id. */
export function useCallCommands(keyword: string): Found {
  const id = keyword.toUpperCase()
  const isEnabled = requestId.test(id)
  const mayRead = useViewer().may('logs.read')
  const commandsOf = ({ items }: { readonly items: readonly { readonly id: number; readonly model_name: string }[] }) =>
    items.slice(0, 1).map((row): Command => ({
      id: `call-${id}`,
      kind: 'call',
      label: id,
      hint: row.model_name,
      icon: IconListDetails,
      does: { to: '/app/logs/api-usage', search: { request: id, open: row.id } },
    }))
  const query = { request_id: id, joined: true, p: 1, page_size: maxResults }
  const all = useFound(logRoutes.listLogs, { query }, isEnabled && mayRead, commandsOf)
  const own = useFound(logRoutes.listOwnLogs, { query }, isEnabled && !mayRead, commandsOf)
  return mayRead ? all : own
}
