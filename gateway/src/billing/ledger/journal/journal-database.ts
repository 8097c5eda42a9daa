import { Database as SqliteFile } from 'bun:sqlite'
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'

import type { Durability } from '../../../platform/store/database'
import type { ChargeRecord } from '../charge/charge-record'
import { readRecord, type JournalRow } from './journal-record'

class ForeignJournal extends Error {
  override readonly name = 'ForeignJournal'
}

/**
 * Opens the file of a journal, or creates it, and locks it.
 * @throws SQLiteError `SQLITE_BUSY` when another process has it; see `isDamaged`.
 */
export function openJournalDatabase(path: string, durability: Durability): SqliteFile {
  const file = new SqliteFile(path, { create: true, strict: true })
  try {
    file.run('pragma locking_mode = exclusive')
    file.run('pragma journal_mode = wal')
    file.run(`pragma synchronous = ${durability === 'power' ? 'full' : 'normal'}`)
    // The first write takes the lock, which then stays.
    file.run('begin immediate')
    makeTables(file)
    file.run('commit')
    return file
  } catch (error) {
    file.close()
    throw error
  }
}

function makeTables(file: SqliteFile): void {
  file.run('create table if not exists charges (seq integer primary key, at integer not null, body text not null)')
  const names = file.query<{ name: string }, []>("select name from pragma_table_info('charges')").all()
  const columns = new Set(names.map(({ name }) => name))
  if (!['seq', 'at', 'body'].every((name) => columns.has(name))) throw new ForeignJournal('not a journal of charges')
  // An earlier release leaves them empty.
  for (const name of ['version', 'checksum'])
    if (!columns.has(name)) file.run(`alter table charges add ${name} integer`)
  file.run('create table if not exists marks (id integer primary key check (id = 1), removed integer not null)')
  file.run('insert or ignore into marks (id, removed) values (1, 0)')
  file.run('create table if not exists probes (id integer primary key check (id = 1), filler blob not null)')
}

/** Returns whether an error means that the file of a journal is damaged. */
export const isDamaged = (error: unknown): boolean =>
  error instanceof ForeignJournal ||
  (error instanceof Error && 'code' in error && (error.code === 'SQLITE_CORRUPT' || error.code === 'SQLITE_NOTADB'))

/** Yields what can be read of a damaged journal, in its order, up to the damage. */
export function* readableIn(path: string): Generator<ChargeRecord> {
  try {
    using file = new SqliteFile(path, { strict: true })
    const rows = file.query<JournalRow, []>('select * from charges order by seq').iterate()
    for (const { version = null, checksum = null, ...row } of rows) {
      const record = readRecord({ ...row, version, checksum })
      if (typeof record !== 'string') yield record
    }
  } catch (error) {
    if (!isSqliteError(error)) throw error
  }
}

const isSqliteError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_')

/** Enough for the digits of any number that a journal reaches. */
const length = 16

const pathOf = (journal: string): string => `${journal}-last`

/**
 * The number of the last record that a journal took, in a file next to it. SQLite reads a truncated log
 * up to where it is whole, without an error; this number shows that there was more. Written after the commit, so it never says more than was there.
 */
export class JournalMark {
  /** What was written last; 0 when nothing was. */
  readonly last: number
  readonly #buffer = Buffer.alloc(length, ' ')
  #descriptor: number | null

  constructor(journal: string) {
    const path = pathOf(journal)
    closeSync(openSync(path, 'a+', 0o600))
    const last = Number.parseInt(readFileSync(path, 'latin1').slice(0, length), 10)
    this.last = Number.isSafeInteger(last) && last > 0 ? last : 0
    this.#descriptor = openSync(path, 'r+')
  }

  write(last: number): void {
    if (this.#descriptor === null) return
    this.#buffer.fill(' ')
    this.#buffer.write(String(last), 'latin1')
    try {
      writeSync(this.#descriptor, this.#buffer, 0, length, 0)
    } catch {
      // Then it says less than there is, which is no more than a cut that is not noticed.
    }
  }

  /** May be called again: another file may have the number by then. */
  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor)
    this.#descriptor = null
  }
}

export const removeJournalMark = (journal: string): void => rmSync(pathOf(journal), { force: true })
