import { rangeOf } from '../../../lib/text/range-of'
import type { AuditSearch } from './audit-search'

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
