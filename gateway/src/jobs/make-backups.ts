import type { Context } from '../context'
import type { Job } from './job'

const minuteMs = 60_000
/** After one that failed. */
const pauseMs = 60 * minuteMs

type Parts = Pick<Context, 'catalog' | 'clock' | 'config' | 'database' | 'log' | 'runCommand'>

/** Make backups on the days the options name, after the hour they name, and remove the oldest of them. */
export function makeBackups(ctx: Parts): Job {
  let nextTryMs = 0
  return {
    name: 'make-backups',
    everyMs: minuteMs,
    async run() {
      const { BackupSchedule: schedule } = ctx.catalog.current.options
      if (schedule === 'off' || ctx.clock.monotonic() < nextTryMs) return
      // Loaded where backups are made at all.
      const { makeScheduledBackup } = await import('../upkeep/scheduled-backup')
      try {
        await makeScheduledBackup(ctx, schedule)
      } catch (error) {
        nextTryMs = ctx.clock.monotonic() + pauseMs
        throw error
      }
    },
  }
}
