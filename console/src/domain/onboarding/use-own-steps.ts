import { tokenRoutes } from '@tollgate/contract'
import type { LinkProps } from '@tanstack/react-router'

import { useRead } from '../../lib/api/query'
import { hasRows, useFirstCall } from './use-first-call'

export interface Step {
  readonly name: 'channel' | 'test' | 'token' | 'call'
  readonly isDone: boolean
  readonly link: Pick<LinkProps, 'to' | 'search'>
}

/** Polling interval for completed steps. */
export const polling = { refetchInterval: 4_000 } as const

/** Returns a user's steps to the first call; undefined until they are known. */
export function useOwnSteps(): readonly Step[] | undefined {
  const call = useFirstCall(polling)
  const token = useRead(tokenRoutes.listTokens, { query: { p: 0, size: 1 } }, polling)
  if (!call.data || !token.data) return undefined
  return [
    { name: 'token', isDone: hasRows(token.data), link: { to: '/app/tokens', search: { edit: 'new' } } },
    { name: 'call', isDone: hasRows(call.data), link: { to: '/playground' } },
  ]
}
