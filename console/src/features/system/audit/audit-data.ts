import { auditRoutes, type RouteSent } from '@tollgate/contract'

import { useRead } from '../../../lib/api/query'
import { rangeOf } from '../../../lib/text/range-of'
import type { AuditSearch } from './audit-search'

type Query = RouteSent<typeof auditRoutes.listAudit>['query']

export const useAudit = (query: Query) => useRead(auditRoutes.listAudit, { query })

/** Returns the row whose panel is open: from the page, or requested separately where a link names one that is not there. */
export function useOpenEntry(id: number | undefined, rows: readonly auditRoutes.AuditEntity[] | undefined) {
  const known = rows?.find((row) => row.id === id)
  const isFetched = id !== undefined && rows !== undefined && !known
  const fetched = useRead(
    auditRoutes.listAudit,
    { query: { id: id ?? 0 } },
    { enabled: isFetched, staleTime: Infinity },
  )
  const found = isFetched ? fetched.data?.items.find((row) => row.id === id) : undefined
  return {
    row: known ?? found,
    isMissing: isFetched && fetched.isSuccess && !fetched.isPlaceholderData && !found,
    error: isFetched ? fetched.error : null,
    retry: () => void fetched.refetch(),
  }
}

/** Returns the call's filters from the address. */
export const filterOf = (
  { username, action, target, target_id, outcome, ip, request, range, from, to }: AuditSearch,
  now: number,
) => ({
  username,
  action,
  target,
  target_id,
  outcome,
  ip,
  request_id: request,
  ...rangeOf({ range, from, to }, now),
})

export const noFilters: Partial<AuditSearch> = {
  username: undefined,
  action: undefined,
  target: undefined,
  target_id: undefined,
  outcome: undefined,
  ip: undefined,
  request: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
}
