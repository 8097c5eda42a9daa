import type { windowRoutes } from '@tollgate/contract'

import type { Queries } from '../../../platform/store/database'
import type { WindowRow } from '../../../platform/store/tables'
import { accountOfWindow, type LimitWindow } from './limit-window'

/** Resolves with the windows of an owner, caps included, in the order of their ids. */
export const windowsOfOwner = (query: Queries, owner: windowRoutes.WindowOwner, ref: string): Promise<WindowRow[]> =>
  query.selectFrom('windows').selectAll().where('owner', '=', owner).where('ref', '=', ref).orderBy('id').execute()

/**
 * Returns a window as it limits one subject; null for a cap, which has no account. `since`: the Unix second from which one counts that never
 * resets; 0: from the first call on.
 */
export function limitWindow(
  row: WindowRow,
  subjectId: number,
  siteTimeZone: string,
  since: number = 0,
): LimitWindow | null {
  const { id, owner, name, measure, span, seconds, starts_at: startsAt, ends_at: endsAt } = row
  if (span === 'call') return null
  const beginsAt = span === 'always' && measure !== 'concurrent' ? since : 0
  return {
    id,
    owner,
    subjectId,
    account: accountOfWindow(id, subjectId, beginsAt),
    name,
    measure,
    limit: row.limit_amount,
    schedule: {
      span,
      seconds,
      startsAt: span === 'always' ? beginsAt : startsAt,
      endsAt,
      isSliding: row.is_sliding === 1,
      timeZone: row.time_zone || siteTimeZone,
    },
    fallbackModel: row.fallback_model || null,
  }
}

/** Returns a window as it is set. */
export const windowSettings = (row: WindowRow) => ({
  id: row.id,
  name: row.name,
  measure: row.measure,
  limit: row.limit_amount,
  span: row.span,
  seconds: row.seconds,
  starts_at: row.starts_at,
  ends_at: row.ends_at,
  is_sliding: row.is_sliding === 1,
  time_zone: row.time_zone,
  grace_percent: row.grace_percent,
  fallback_model: row.fallback_model,
  alert_percents: row.alert_percents === '' ? [] : row.alert_percents.split(',').map(Number),
  alerts_operators: row.alerts_operators === 1,
})
