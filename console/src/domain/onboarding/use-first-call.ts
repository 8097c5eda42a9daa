import { logRoutes, logType } from '@tollgate/contract'

import { useRead } from '../../lib/api/query'

/** The reader's last call: no rows before the first one. */
export const useFirstCall = (options: { readonly refetchInterval?: number; readonly enabled?: boolean } = {}) =>
  useRead(logRoutes.listOwnLogs, { query: { p: 1, page_size: 1, type: logType.consumption } }, options)

export const hasRows = ({ items }: { readonly items: readonly unknown[] }): boolean => items.length > 0
