import { auditRoutes, type RouteSent } from '@tollgate/contract'

import { useRead } from '../../../lib/api/query'

type Query = RouteSent<typeof auditRoutes.listAudit>['query']

export const useAudit = (query: Query) => useRead(auditRoutes.listAudit, { query })

/** Returns the row whose panel is open: from the page, or requested separately where a link names one that is not there. */
export function useOpenAct(id: number | undefined, rows: readonly auditRoutes.AuditEntity[] | undefined) {
  const known = rows?.find((row) => row.id === id)
  const isAsked = id !== undefined && rows !== undefined && !known
  const asked = useRead(auditRoutes.listAudit, { query: { id: id ?? 0 } }, { enabled: isAsked, staleTime: Infinity })
  const found = isAsked ? asked.data?.items.find((row) => row.id === id) : undefined
  return {
    row: known ?? found,
    isMissing: isAsked && asked.isSuccess && !asked.isPlaceholderData && !found,
    error: isAsked ? asked.error : null,
    retry: () => void asked.refetch(),
  }
}
