import { dayMs, hourMs } from '@tollgate/contract'
import { z } from 'zod'

import type { Context } from '../../context'
import { readNote, writeNotes } from '../../platform/store/site-notes'
import { UpkeepError } from '../upkeep-error'

const note = 'log-export-day'
/** Charges of the last calls of a day may reach the database later. */
const graceMs = hourMs

/**
 * Exports the days that are over and were not exported yet, in a process of its own; at first the day before. What was exported when a run
 * fails is left out by the next.
 * @throws UpkeepError with what the command said.
 */
export async function exportDueDays({
  catalog,
  clock,
  database: { query },
  runCommand,
}: Pick<Context, 'catalog' | 'clock' | 'database' | 'runCommand'>): Promise<void> {
  const { LogExportFormat: format, LogExportStorage: storage } = catalog.current.options
  if (format === 'off') return
  const due = dayOf(clock.now() - graceMs - dayMs)
  const last = await readNote(query, note, z.iso.date())
  if (last !== null && last >= due) return
  const from = last === null ? due : dayOf(Date.parse(last) + dayMs)
  const words = ['export-logs', '--from', from, '--to', due, '--format', format]
  const { code, output } = await runCommand(storage === 'bucket' ? [...words, '--bucket'] : words)
  if (code !== 0) throw new UpkeepError(output.split('\n').at(-1) ?? `code ${code}`)
  await writeNotes(query, [{ name: note, value: due }], clock.now())
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
