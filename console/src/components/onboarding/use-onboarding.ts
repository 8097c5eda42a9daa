import { channelRoutes, logRoutes, logType, tokenRoutes } from '@tollgate/contract'
import type { LinkProps } from '@tanstack/react-router'

import { useRead } from '../../lib/query'
import { useViewer } from '../../lib/session'

export interface Step {
  readonly name: 'channel' | 'test' | 'token' | 'call'
  readonly isDone: boolean
  readonly link: Pick<LinkProps, 'to' | 'search'>
}

/** How often is asked what has been done meanwhile. */
const polling = { refetchInterval: 4_000 } as const
const mostChannels = 100

/** The way to the first call, from what is there; undefined until that is known. */
export function useOnboarding(): readonly Step[] | undefined {
  const { isAdmin } = useViewer()
  const call = useRead(logRoutes.listOwnLogs, { query: { p: 1, page_size: 1, type: logType.consumption } }, polling)
  const token = useRead(tokenRoutes.listTokens, { query: { p: 0, size: 1 } }, polling)
  const channels = useRead(
    channelRoutes.listChannels,
    { query: { p: 1, page_size: mostChannels } },
    { ...polling, enabled: isAdmin },
  )
  if (!call.data || !token.data || (isAdmin && !channels.data)) return undefined
  const steps: readonly Step[] = [
    { name: 'token', isDone: hasRows(token.data), link: { to: '/app/tokens', search: { edit: 'new' } } },
    { name: 'call', isDone: hasRows(call.data), link: { to: '/playground' } },
  ]
  if (!channels.data || !isAdmin) return steps
  return [
    { name: 'channel', isDone: hasRows(channels.data), link: { to: '/admin/channels', search: { edit: 'new' } } },
    { name: 'test', isDone: isTested(channels.data), link: { to: '/admin/channels' } },
    ...steps,
  ]
}

interface List<Item> {
  readonly items: readonly Item[]
}

const hasRows = ({ items }: List<unknown>) => items.length > 0
const isTested = ({ items }: List<{ readonly test_time: number }>) => items.some(({ test_time: at }) => at > 0)
