import { minuteMs } from '@tollgate/contract'
import type { Context } from '../../context'
import type { Job } from './job'

/** After a backup that failed. */
const pauseMs = 60 * minuteMs

type Parts = Pick<Context, 'catalog' | 'clock' | 'config' | 'database' | 'log' | 'runCommand' | 'timers'>

/** Makes backups on the configured days, after the configured hour, and removes the oldest of them. */
export function makeBackups(ctx: Parts): Job {
  let nextTryMs = 0
  return {
    name: 'make-backups',
    everyMs: minuteMs,
    async run() {
      const { BackupSchedule: schedule } = ctx.catalog.current.options
      if (schedule === 'off' || ctx.clock.monotonic() < nextTryMs) return
      // Loaded only where backups are made.
      const { makeScheduledBackup } = await import('../../operations/scheduled-backup')
      try {
        await makeScheduledBackup(ctx, schedule)
      } catch (error) {
        nextTryMs = ctx.clock.monotonic() + pauseMs
        throw error
      }
    },
  }
}
