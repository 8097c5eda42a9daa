import { Database as SqliteFile } from 'bun:sqlite'
import { closeSync, copyFileSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs'

import { UpkeepError } from './upkeep-error'

const tries = 50

/**
 * Copies a worker's journal into one file, also while the worker holds it and writes. Charges are appended to the file's log; only a
 * checkpoint changes the file itself, and a copy during which that happened is made again. Returns the charges in the copy and the time of
 * the first; null when the journal was removed meanwhile because it is empty.
 * @throws UpkeepError when the journal is damaged.
 */
export function copyJournal(path: string, copy: string): { charges: number; oldestMs: number | null } | null {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    removeCopy(copy)
    const before = stampOf(path)
    if (!before) return null
    try {
      copyFileSync(path, copy)
      if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`)
    } catch (error) {
      if (stampOf(path)) throw error
      removeCopy(copy)
      return null
    }
    if (stampOf(path) === before) return contentsOf(copy, path)
  }
  removeCopy(copy)
  throw new UpkeepError(`The journal ${path} is written continuously and could not be copied. Try again.`)
}

const logHeaderBytes = 32

/**
 * Changes when a checkpoint writes into the file, and when the log restarts after one: its header then has another salt.
 * https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
function stampOf(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.mtimeNs} ${stat.size} ${beginningOf(`${path}-wal`)}` : null
}

function beginningOf(log: string): string {
  if (!existsSync(log)) return ''
  const file = openSync(log, 'r')
  try {
    const header = Buffer.alloc(logHeaderBytes)
    return header.toString('hex', 0, readSync(file, header, 0, logHeaderBytes, 0))
  } finally {
    closeSync(file)
  }
}

/** Opens the copy, which absorbs its log, and counts. */
function contentsOf(copy: string, path: string) {
  try {
    using file = new SqliteFile(copy)
    const check = file.query<{ quick_check: string }, []>('pragma quick_check(1)').get()
    if (check?.quick_check !== 'ok') throw new Error(check?.quick_check)
    file.run('pragma journal_mode = delete')
    const hasChargesTable = file.query("select 1 from sqlite_master where name = 'charges'").get()
    if (!hasChargesTable) return { charges: 0, oldestMs: null }
    const row = file
      .query<{ charges: number; oldestMs: number | null }, []>(
        'select count(*) as charges, min(at) as oldestMs from charges',
      )
      .get()
    return row ?? { charges: 0, oldestMs: null }
  } catch (cause) {
    throw new UpkeepError(`The journal ${path} is damaged. Keep it, and move it away before the next start.`, {
      cause,
    })
  }
}

function removeCopy(copy: string) {
  for (const part of ['', '-wal', '-shm']) rmSync(copy + part, { force: true })
}
