import { daySeconds, hourMs } from '@tollgate/contract'

import type { Context } from '../../context'
import { removeAudit, type Removal } from '../../operations/retention/remove-in-parts'
import { isBusy, partitionLog } from '../../operations/retention/log-partitions'
import { clearRemovalRequest, readRemovalRequest, removeLogs } from '../../operations/retention/remove-logs'
import { removeShipped } from '../../operations/retention/remove-shipped'
import { removeSums } from '../../operations/retention/remove-sums'
import { paceOf, type Job, type OnProgress } from './job'

type Deps = Pick<Context, 'catalog' | 'clickHouse' | 'clock' | 'database' | 'metrics' | 'timers'>

/** The database refuses to remove what is younger. */
const minAuditMonths = 3

/** Removes rows of the log that the site keeps no longer, and goes on with what an administrator began to remove. */
export const retainLogs = (deps: Deps, makePace = paceOf): Job => ({
  name: 'retain-logs',
  everyMs: hourMs,
  wokenBy: 'retention',
  async run(signal, onProgress) {
    const { LogRetentionDays: days } = deps.catalog.current.options
    const { kind, query, removal } = deps.database
    const requested = await readRemovalRequest(query)
    const before = Math.max(requested, days === 0 ? 0 : daysBefore(deps.clock.seconds(), days))
    if (before === 0) return
    const { isDone } = await removeLogs(
      { kind, query: removal },
      removalOf({ before, pace: makePace(deps, signal) }, signal, onProgress),
    )
    if (!isDone || requested === 0) return
    await removeShipped(deps, requested)
    await clearRemovalRequest(query, before)
  },
})

/** Creates the partitions of the log for the months to come. */
export const partitionLogs = ({ clock, database }: Deps): Job => ({
  name: 'partition-logs',
  everyMs: hourMs,
  run: () =>
    partitionLog(database, clock.seconds()).catch((error: unknown) => {
      // There are months left to try it again.
      if (!isBusy(error)) throw error
    }),
})

/** Removes sums of usage that the site keeps no longer. */
export const retainSums = (deps: Deps, makePace = paceOf): Job => ({
  name: 'retain-sums',
  everyMs: hourMs,
  async run(signal, onProgress) {
    const { SumsRetentionMonths: months } = deps.catalog.current.options
    if (months === 0) return
    const before = monthsBefore(deps.clock.seconds(), months)
    await removeSums(deps.database, removalOf({ before, pace: makePace(deps, signal) }, signal, onProgress))
  },
})

/** Removes rows of the audit log that the site keeps no longer. */
export const retainAudit = (deps: Deps, makePace = paceOf): Job => ({
  name: 'retain-audit',
  everyMs: hourMs,
  async run(signal, onProgress) {
    const { AuditRetentionMonths: months } = deps.catalog.current.options
    if (months === 0) return
    const before = monthsBefore(deps.clock.seconds(), Math.max(months, minAuditMonths))
    await removeAudit(deps.database.removal, removalOf({ before, pace: makePace(deps, signal) }, signal, onProgress))
  },
})

const removalOf = (
  what: Pick<Removal, 'before' | 'pace'>,
  signal: AbortSignal,
  onProgress: OnProgress | undefined,
): Removal => ({ ...what, isOver: () => signal.aborted, onProgress })

/** Returns the moment (seconds) before which rows are older than this many days. */
const daysBefore = (nowSeconds: number, days: number): number => nowSeconds - days * daySeconds

/** Returns when the month began (UTC, seconds) that is this many months before the present one. */
export function monthsBefore(nowSeconds: number, months: number): number {
  const now = new Date(nowSeconds * 1000)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1) / 1000
}
