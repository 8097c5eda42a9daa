import type { Database as SqliteFile } from 'bun:sqlite'
import { existsSync, rmSync } from 'node:fs'

import type { Durability } from '../../../platform/store/database'
import type { ChargeRecord } from '../charge/charge-record'
import { openJournalDatabase } from './journal-database'
import { keepAside } from './journal-files'
import { openJournalMark, removeJournalMark, type JournalMark } from './journal-mark'
import { checksumOf, readRecord, recordVersion, type JournalRow } from './journal-record'

export interface JournaledCharge {
  readonly seq: number
  readonly record: ChargeRecord
}

/** Charges that are durable on this machine and wait for the database. One file per worker, locked by its process. */
export interface Journal {
  /** All are on the disk when it returns, none when it throws. */
  append(records: readonly ChargeRecord[], nowMs: number): void
  /**
   * The first ones after a number, in their order. Records that are not what was written are set aside.
   * @throws JournalUnwritable when they cannot be.
   */
  read(after: number, most: number): JournaledCharge[]
  /** Removes all charges that one `read` returned. */
  remove(charges: readonly JournaledCharge[]): void
  /** Writes something that does not matter. @throws when the disk takes nothing. */
  probe(): void
  readonly depth: number
  /** Number of the charge that was appended last. */
  readonly last: number
  /** Milliseconds since 1970 of the first charge; null when there is none. */
  oldestMs(): number | null
  /** Close it; an empty one leaves no file behind. */
  close(): void
}

/** Called with the number of records that a journal lost, and the file that holds what is known of them. */
export type OnSetAside = (kind: 'unreadable' | 'missing', count: number, path: string) => void

/** Records that cannot be charged could not be set aside either; they stay in the journal. */
export class JournalUnwritable extends Error {
  override readonly name = 'JournalUnwritable'
}

/** Charges that need not be read from the file again. */
const mostRemembered = 1024
/** As much as a batch of charges takes: a disk with room for less takes no calls. */
const probeBytes = 65_536

/**
 * Opens a journal, or creates it, for this process alone.
 * @throws SQLiteError `SQLITE_BUSY` when another process has it; see `isDamaged`.
 */
export function openJournal(path: string, durability: Durability, onSetAside: OnSetAside = () => {}): Journal {
  if (!existsSync(path)) removeJournalMark(path)
  const file = openJournalDatabase(path, durability)
  try {
    return journalOn(file, path, openJournalMark(path), onSetAside)
  } catch (error) {
    file.close()
    throw error
  }
}

function journalOn(file: SqliteFile, path: string, mark: JournalMark, onSetAside: OnSetAside): Journal {
  const insert = file.query('insert into charges (seq, at, body, version, checksum) values (?, ?, ?, ?, ?)')
  const select = file.query<JournalRow, [number, number]>(
    'select seq, at, body, version, checksum from charges where seq > ? order by seq limit ?',
  )
  const removeRange = file.query('delete from charges where seq between ? and ?')
  const removeOne = file.query('delete from charges where seq = ?')
  const markRemoved = file.query('update marks set removed = max(removed, ?) where id = 1')
  const probe = file.query(`insert or replace into probes (id, filler) values (1, zeroblob(${probeBytes}))`)
  const first = file.query<{ at: number }, []>('select at from charges order by seq limit 1')
  const highest = file.query<{ seq: number }, []>(
    'select max((select coalesce(max(seq), 0) from charges), (select removed from marks)) as seq',
  )
  const count = file.query<{ depth: number }, []>('select count(*) as depth from charges')
  let depth = count.get()?.depth ?? 0
  let last = highest.get()?.seq ?? 0
  /** What the file holds, as long as that is little: most charges are read soon after they were written. */
  let recent: JournaledCharge[] = []
  tellMissing()

  function tellMissing(): void {
    const missing = mark.last - last
    if (missing <= 0) return
    const finding = { afterSeq: last, upTo: mark.last, atMost: missing, foundAt: new Date().toISOString() }
    last = mark.last
    try {
      onSetAside('missing', missing, keepAside(path, 'missing', [finding]))
    } catch {
      onSetAside('missing', missing, path)
    }
  }

  const insertAll = file.transaction((records: readonly ChargeRecord[], nowMs: number): JournaledCharge[] =>
    records.map((record, index) => {
      // Numbers that were used are not used again, though the file may be empty by now.
      const seq = last + 1 + index
      const body = JSON.stringify(record)
      insert.run(seq, nowMs, body, recordVersion, checksumOf(body))
      return { seq, record }
    }),
  )
  const removeAll = file.transaction((seqs: readonly number[]) => {
    const [from, to] = [seqs[0] ?? 0, seqs.at(-1) ?? 0]
    if (to - from + 1 === seqs.length) removeRange.run(from, to)
    else for (const seq of seqs) removeOne.run(seq)
    markRemoved.run(to)
  })

  const recount = () => {
    depth = count.get()?.depth ?? depth
    last = Math.max(last, highest.get()?.seq ?? 0)
    recent = []
  }
  /** A commit that reports an error may have been made; then the change counts as made. */
  const made = <Result>(change: () => Result, isMade: () => boolean): Result | null => {
    try {
      return change()
    } catch (error) {
      recount()
      if (!isMade()) throw error
      return null
    }
  }

  const remember = (appended: readonly JournaledCharge[]) => {
    const isWhole = recent.length === depth && depth + appended.length <= mostRemembered
    if (isWhole) recent.push(...appended)
    else recent = []
  }

  function removeSeqs(seqs: readonly number[]): void {
    const left = depth - seqs.length
    if (
      made(
        () => removeAll.immediate(seqs),
        () => depth === left,
      ) === null
    )
      return
    const gone = new Set(seqs)
    recent = recent.filter(({ seq }) => !gone.has(seq))
    depth = left
  }

  /** Rows that cannot be charged leave the journal for a file. */
  function setRowsAside(rows: readonly (JournalRow & { readonly reason: string })[]): void {
    try {
      const kept = keepAside(path, 'unreadable', rows)
      removeSeqs(rows.map(({ seq }) => seq))
      onSetAside('unreadable', rows.length, kept)
    } catch (cause) {
      throw new JournalUnwritable(`Records that cannot be read could not be set aside: ${String(cause)}`, { cause })
    }
  }

  /** What a part of the file says, and the number up to which it was read. */
  function readFile(after: number, most: number): { charges: JournaledCharge[]; end: number; isEnd: boolean } {
    const rows = select.all(after, most)
    const charges: JournaledCharge[] = []
    const unreadable: (JournalRow & { reason: string })[] = []
    for (const row of rows) {
      const record = readRecord(row)
      if (typeof record === 'string') unreadable.push({ ...row, reason: record })
      else charges.push({ seq: row.seq, record })
    }
    if (unreadable.length > 0) setRowsAside(unreadable)
    return { charges, end: rows.at(-1)?.seq ?? after, isEnd: rows.length < most }
  }

  return {
    append(records, nowMs) {
      const wanted = last + records.length
      const appended = made(
        () => insertAll.immediate(records, nowMs),
        () => last === wanted,
      )
      if (appended) {
        remember(appended)
        depth += appended.length
        last = wanted
      }
      mark.write(last)
    },
    read(after, most) {
      if (recent.length === depth) return recent.filter(({ seq }) => seq > after).slice(0, most)
      for (let from = after; ;) {
        const { charges, end, isEnd } = readFile(from, most)
        if (charges.length > 0 || isEnd) return charges
        from = end
      }
    },
    remove(charges) {
      if (charges.length > 0) removeSeqs(charges.map(({ seq }) => seq))
    },
    probe: () => void probe.run(),
    get depth() {
      return depth
    },
    get last() {
      return last
    },
    oldestMs: () => (depth === 0 ? null : (first.get()?.at ?? null)),
    close() {
      mark.close()
      file.close()
      if (depth > 0) return
      removeJournalMark(path)
      for (const part of ['', '-wal', '-shm', '-journal']) rmSync(path + part, { force: true })
    },
  }
}
