import { readLogDetails, type LoggedAttempt } from '@tollgate/contract'

import { elapsedMs, statusOf, upstreamStatusOf, type LogRow } from './log-row'

/** One attempt of a call, as far as its reader may see it. */
export interface CallAttempt extends Pick<LoggedAttempt, 'status' | 'ms' | 'reason'> {
  /** Hidden from users. */
  readonly channel?: number
}

/**
 * Returns the attempts of a call in order. Administrators have them in the row itself; for users they are derived from the rows of the
 * call, each of which has the time elapsed by then.
 */
export function attemptsOf(row: LogRow): readonly CallAttempt[] {
  const { attempts: known = [] } = readLogDetails(row.other).admin_info ?? {}
  if (known.length > 0) return known
  const failed = row.attempts ?? []
  if (failed.length === 0) return []
  let before = 0
  return [...failed, row].map((part) => {
    const until = elapsedMs(part) ?? before
    const ms = Math.max(until - before, 0)
    before = until
    return { status: upstreamStatusOf(part) ?? statusOf(part) ?? 0, ms, ...(part !== row && { reason: part.content }) }
  })
}
