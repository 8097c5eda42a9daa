import { logRoutes, logType } from '@tollgate/contract'
import * as z from 'zod'

import { useRead } from '../../lib/api/query'
import { storedValue, useStored } from '../../lib/browser/storage'

/** The reader's last call: no rows before the first one. */
export const useFirstCall = (options: { readonly refetchInterval?: number; readonly enabled?: boolean } = {}) =>
  useRead(logRoutes.listOwnLogs, { query: { p: 1, page_size: 1, type: logType.consumption } }, options)

export const hasRows = ({ items }: { readonly items: readonly unknown[] }): boolean => items.length > 0

export const storedDismissal = storedValue('onboarding-dismissed', z.boolean(), false)

/** Returns whether the checklist has the next step, whose button is then the only solid one of the page. */
export function useIsGuided(): boolean {
  const [isDismissed] = useStored(storedDismissal)
  return !isDismissed
}
