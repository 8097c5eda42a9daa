import { dayMs } from '@tollgate/contract'
import { z } from 'zod'

import { siteDay, siteHour } from '../accounts/site-calendar'
import type { Context } from '../context'
import { readNote, writeNotes } from '../platform/store/site-notes'
import { keepScheduled, startBackup } from './backups'
import { UpkeepError } from './upkeep-error'

type Deps = Pick<Context, 'catalog' | 'clock' | 'config' | 'database' | 'log' | 'runCommand' | 'timers'>

const note = 'backup-day'
/** `YYYY-MM-DD` in the site's time zone. */
const Day = z.iso.date()

/**
 * Makes the backup of today, or of this week, unless it exists or its hour has not come.
 * @throws UpkeepError, AppError when it could not be made.
 */
export async function makeScheduledBackup(parts: Deps, schedule: 'daily' | 'weekly'): Promise<void> {
  const { catalog, clock, database } = parts
  const { BackupHour: hour, BackupKeep: maxBackups } = catalog.current.options
  const today = siteDay(parts)
  const last = await readNote(database.query, note, Day)
  const days = last === null ? Infinity : (Date.parse(today) - Date.parse(last)) / dayMs
  if (days < (schedule === 'daily' ? 1 : 7) || siteHour(parts) < hour) return
  const { ended } = await startBackup(parts, 'scheduled')
  const { failure } = await ended
  if (failure) throw new UpkeepError(failure)
  await writeNotes(database.query, [{ name: note, value: today }], clock.now())
  await keepScheduled(parts, maxBackups)
}
