import { Database as SqliteFile } from 'bun:sqlite'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { isBusy } from '../../../platform/store/file-lock'
import type { ChargeRecord } from '../charge/charge-record'
import { openJournal, type OnSetAside } from './journal'
import { asidePath, journalPath, keepAside } from './journal-files'
import { readRecord, recordVersion } from './journal-record'

/** A row of a journal that an earlier release kept as a database. The first of them had neither a version nor a checksum. */
interface EarlierRow {
  readonly seq: number
  readonly at: number
  readonly body: unknown
  readonly version?: number | null
  readonly checksum?: number | null
}

/** What may be wrong with one of them; each is called with a path. */
interface EarlierJournalEvents {
  readonly onSetAside: OnSetAside
  readonly onDamaged: (path: string) => void
  readonly onUnwritable: (path: string) => void
}

const suffix = '.journal.sqlite'
const maxAtOnce = 500

/**
 * Moves the charges that workers of earlier releases left in journals of theirs, which were databases, into journals of today. It may be
 * interrupted and repeated: what was moved twice is charged once. A journal that another process holds is left alone, and so is one whose
 * charges cannot be written. Returns the workers whose charges stay where they are.
 */
export function moveEarlierJournals(
  folder: string,
  { onSetAside, onDamaged, onUnwritable }: EarlierJournalEvents,
): string[] {
  const unmoved: string[] = []
  for (const name of readdirSync(folder).filter((name) => name.endsWith(suffix))) {
    const path = join(folder, name)
    const workerId = name.slice(0, -suffix.length)
    try {
      const outcome = moveRows(path, journalPath(folder, workerId), onSetAside)
      if (outcome === 'held') unmoved.push(workerId)
      else if (outcome === 'damaged') onDamaged(setAside(path))
      else for (const part of ['-wal', '-shm', '-last', '']) rmSync(path + part, { force: true })
    } catch {
      unmoved.push(workerId)
      onUnwritable(path)
    }
  }
  return unmoved
}

function moveRows(path: string, target: string, onSetAside: OnSetAside): 'moved' | 'held' | 'damaged' {
  let isDamaged = false
  try {
    using file = new SqliteFile(path, { readwrite: true, strict: true })
    file.run('pragma locking_mode = exclusive')
    file.run('begin immediate')
    const journal = openJournal(target, 'power', onSetAside)
    try {
      const rows = file.query<EarlierRow, []>('select * from charges order by seq').iterate()
      isDamaged = !takeRows(rows, path, { append: (records, at) => journal.append(records, at), onSetAside })
    } finally {
      journal.close()
    }
  } catch (error) {
    if (isBusy(error)) return 'held'
    if (!isSqliteError(error)) throw error
    isDamaged = true
  }
  return isDamaged ? 'damaged' : 'moved'
}

interface Taker {
  readonly append: (records: readonly ChargeRecord[], atMs: number) => void
  readonly onSetAside: OnSetAside
}

/** Takes the rows up to the first that SQLite cannot read. Returns whether it could read them all. */
function takeRows(rows: Iterable<EarlierRow>, path: string, { append, onSetAside }: Taker): boolean {
  const unreadable: object[] = []
  let batch: ChargeRecord[] = []
  let at = 0
  let isWhole = true
  const flush = () => {
    if (batch.length > 0) append(batch, at)
    batch = []
  }
  try {
    for (const row of rows) {
      const record = recordOf(row)
      if (typeof record === 'string') unreadable.push({ ...row, reason: record })
      else {
        if (batch.length === 0) at = row.at
        batch.push(record)
        if (batch.length === maxAtOnce) flush()
      }
    }
  } catch (error) {
    if (!isSqliteError(error)) throw error
    isWhole = false
  }
  flush()
  if (unreadable.length > 0) onSetAside('unreadable', unreadable.length, keepAside(path, 'unreadable', unreadable))
  return isWhole
}

function recordOf({ body, version = null, checksum = null }: EarlierRow): ChargeRecord | string {
  if (typeof body !== 'string') return 'the record is not a text'
  const isIntact = checksum === null ? version === null : checksum === Bun.hash.crc32(body)
  if (!isIntact) return 'the checksum does not match'
  return readRecord({ version: version ?? recordVersion, body })
}

/** Puts a damaged journal out of the way, nothing of it deleted. Returns where it is now. */
function setAside(path: string): string {
  const damaged = asidePath(path, 'damaged')
  for (const part of ['-wal', '-last', '']) if (existsSync(path + part)) renameSync(path + part, damaged + part)
  return damaged
}

const isSqliteError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_')
