import { Database as SqliteFile } from 'bun:sqlite'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import type { Durability } from '../store/database'
import type { ChargeRecord } from './charge-record'

export interface JournaledCharge {
  readonly seq: number
  readonly record: ChargeRecord
}

/** Charges that are durable on this machine and wait for the database. One file a worker, open to nobody else. */
export interface Journal {
  /** All are on the disk when it returns. */
  append(records: readonly ChargeRecord[], nowMs: number): void
  /** The first ones after a number, in their order. */
  read(after: number, most: number): JournaledCharge[]
  /** Those that one `read` answered, all of them. */
  remove(charges: readonly JournaledCharge[]): void
  readonly depth: number
  /** Number of the charge that was appended last. */
  readonly last: number
  /** Milliseconds since 1970 of the first charge; null when there is none. */
  oldestMs(): number | null
  /** Close it; an empty one leaves no file behind. */
  close(): void
}

const suffix = '.journal.sqlite'
/** Charges that need not be read from the file again. */
const mostRemembered = 1024

export const journalPath = (folder: string, workerId: string): string => join(folder, `${workerId}${suffix}`)

const damagedSuffix = '.damaged'

/** Journals that were set aside, by their names. */
export const damagedJournalsIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.endsWith(`${suffix}${damagedSuffix}`))

/** Whether an error tells that a journal's file is broken. */
export const isDamaged = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'SQLITE_CORRUPT' || error.code === 'SQLITE_NOTADB')

/** What can be read of a broken journal, in its order, up to the damage. */
export function* readableIn(path: string): Generator<ChargeRecord> {
  try {
    using file = new SqliteFile(path, { strict: true })
    for (const { body } of file.query<{ body: string }, []>('select body from charges order by seq').iterate())
      yield recordIn(body)
  } catch (error) {
    if (!isDamaged(error)) throw error
  }
}

/** Put a broken journal out of the way, nothing of it deleted. Answers where it is now. */
export function setAside(path: string): string {
  for (const part of ['-wal', '']) if (existsSync(path + part)) renameSync(path + part, path + damagedSuffix + part)
  return path + damagedSuffix
}

/** Ids of the workers that left a journal. */
export const journalsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length))
    .sort()

/**
 * Open a journal, or make it, for this process alone.
 * @throws SQLiteError `SQLITE_BUSY` when another process has it; see `isDamaged`.
 */
export function openJournal(path: string, durability: Durability): Journal {
  const file = new SqliteFile(path, { create: true, strict: true })
  try {
    file.run('pragma locking_mode = exclusive')
    file.run('pragma journal_mode = wal')
    file.run(`pragma synchronous = ${durability === 'power' ? 'full' : 'normal'}`)
    // The first write takes the lock, which then stays.
    file.run('begin immediate')
    file.run(schema)
    file.run('commit')
    return journalOn(file, path)
  } catch (error) {
    file.close()
    throw error
  }
}

const schema = `create table if not exists charges
  (seq integer primary key, at integer not null, body text not null)`

function journalOn(file: SqliteFile, path: string): Journal {
  const insert = file.query('insert into charges (seq, at, body) values (?, ?, ?)')
  const select = file.query<{ seq: number; body: string }, [number, number]>(
    'select seq, body from charges where seq > ? order by seq limit ?',
  )
  const remove = file.query('delete from charges where seq between ? and ?')
  const first = file.query<{ at: number }, []>('select at from charges order by seq limit 1')
  const highest = file.query<{ seq: number }, []>('select seq from charges order by seq desc limit 1')
  const count = file.query<{ depth: number }, []>('select count(*) as depth from charges')
  let depth = count.get()?.depth ?? 0
  let last = highest.get()?.seq ?? 0
  /** What the file holds, as long as that is little: most charges are read soon after they were written. */
  let recent: JournaledCharge[] = []
  const insertAll = file.transaction((records: readonly ChargeRecord[], nowMs: number): JournaledCharge[] =>
    records.map((record, index) => {
      // Numbers that were used are not used again, though the file may be empty by now.
      const seq = last + 1 + index
      insert.run(seq, nowMs, JSON.stringify(record))
      return { seq, record }
    }),
  )

  /** A change whose commit fails may be made all the same. */
  const recounted = <Result>(change: () => Result): Result => {
    try {
      return change()
    } catch (error) {
      depth = count.get()?.depth ?? depth
      last = Math.max(last, highest.get()?.seq ?? 0)
      recent = []
      throw error
    }
  }

  const remember = (appended: readonly JournaledCharge[]) => {
    const isWhole = recent.length === depth && depth + appended.length <= mostRemembered
    if (isWhole) recent.push(...appended)
    else recent = []
  }

  return {
    append(records, nowMs) {
      const appended = recounted(() => insertAll.immediate(records, nowMs))
      remember(appended)
      depth += appended.length
      last = appended.at(-1)?.seq ?? last
    },
    read(after, most) {
      if (recent.length === depth) return recent.filter(({ seq }) => seq > after).slice(0, most)
      return select.all(after, most).map(({ seq, body }) => ({ seq, record: recordIn(body) }))
    },
    remove(charges) {
      const [from, to] = [charges[0]?.seq, charges.at(-1)?.seq]
      if (from === undefined || to === undefined) return
      recounted(() => remove.run(from, to))
      recent = recent.filter(({ seq }) => seq < from || seq > to)
      depth -= charges.length
    },
    get depth() {
      return depth
    },
    get last() {
      return last
    },
    oldestMs: () => (depth === 0 ? null : (first.get()?.at ?? null)),
    close() {
      file.close()
      if (depth === 0) for (const part of ['', '-wal', '-shm', '-journal']) rmSync(path + part, { force: true })
    },
  }
}

/** What this program wrote itself, in this version or an earlier one. */
const recordIn = (body: string): ChargeRecord => JSON.parse(body) as ChargeRecord
