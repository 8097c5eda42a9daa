import { hourMs } from '@tollgate/contract'
import type { Context } from '../../context'
import { daysBefore, monthsBefore } from '../../operations/retention/cutoff'
import { removeAudit } from '../../operations/retention/remove-audit'
import type { Removal } from '../../operations/retention/remove-in-parts'
import { askedBefore, forgetAsked, removeLogs } from '../../operations/retention/remove-logs'
import { removeSums } from '../../operations/retention/remove-sums'
import { paceOf, type Job, type OnProgress } from './job'

type Parts = Pick<Context, 'catalog' | 'clock' | 'database' | 'metrics' | 'timers'>

/** The database refuses to remove what is younger. */
const auditMonthsKept = 3

/** Removes rows of the log that the site keeps no longer, and goes on with what an administrator began to remove. */
export const retainLogs = (parts: Parts, makePace = paceOf): Job => ({
  name: 'retain-logs',
  everyMs: hourMs,
  wokenBy: 'retention',
  async run(signal, onProgress) {
    const { LogRetentionDays: days } = parts.catalog.current.options
    const { patient } = parts.database
    const asked = await askedBefore(patient)
    const before = Math.max(asked, days === 0 ? 0 : daysBefore(parts.clock.seconds(), days))
    if (before === 0) return
    const { isDone } = await removeLogs(
      patient,
      removalOf({ before, pace: makePace(parts, signal) }, signal, onProgress),
    )
    if (isDone && asked > 0) await forgetAsked(patient, before)
  },
})

/** Removes sums of usage that the site keeps no longer. */
export const retainSums = (parts: Parts, makePace = paceOf): Job => ({
  name: 'retain-sums',
  everyMs: hourMs,
  async run(signal, onProgress) {
    const { SumsRetentionMonths: months } = parts.catalog.current.options
    if (months === 0) return
    const before = monthsBefore(parts.clock.seconds(), months)
    await removeSums(parts.database, removalOf({ before, pace: makePace(parts, signal) }, signal, onProgress))
  },
})

/** Removes rows of the audit log that the site keeps no longer. */
export const retainAudit = (parts: Parts, makePace = paceOf): Job => ({
  name: 'retain-audit',
  everyMs: hourMs,
  async run(signal, onProgress) {
    const { AuditRetentionMonths: months } = parts.catalog.current.options
    if (months === 0) return
    const before = monthsBefore(parts.clock.seconds(), Math.max(months, auditMonthsKept))
    await removeAudit(parts.database.patient, removalOf({ before, pace: makePace(parts, signal) }, signal, onProgress))
  },
})

const removalOf = (
  what: Pick<Removal, 'before' | 'pace'>,
  signal: AbortSignal,
  onProgress: OnProgress | undefined,
): Removal => ({ ...what, isOver: () => signal.aborted, onProgress })
