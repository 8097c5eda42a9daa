import type { QuickRange } from '../../lib/page-search'
import type { AuditSearch } from './audit-search'

const day = 86_400
const seconds: Readonly<Record<QuickRange, number | undefined>> = {
  day,
  week: 7 * day,
  month: 30 * day,
  all: undefined,
}

/** What the call is asked for the filters in the address; ranges that end now begin at a whole minute. */
export function filterOf(
  { username, action, target, target_id, outcome, ip, request, range, from, to }: AuditSearch,
  now: number,
) {
  const length = seconds[range ?? 'all']
  const since = length === undefined ? undefined : Math.floor(now / 60) * 60 - length
  return {
    username,
    action,
    target,
    target_id,
    outcome,
    ip,
    request_id: request,
    start_timestamp: from ?? since,
    end_timestamp: to,
  }
}

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
  page: undefined,
}
