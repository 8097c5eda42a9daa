import type { Database as SqliteFile } from 'bun:sqlite'
import { existsSync, rmSync } from 'node:fs'

import type { Durability } from '../../../platform/store/database'
import type { ChargeRecord } from '../charge/charge-record'
import { openJournalDatabase, JournalMark, removeJournalMark } from './journal-database'
import { keepAside } from './journal-files'
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
  read(after: number, maxCharges: number): JournaledCharge[]
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
const maxRemembered = 1024
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
    return new FileJournal(file, path, new JournalMark(path), onSetAside)
  } catch (error) {
    file.close()
    throw error
  }
}

/** The statements of a journal's file. */
const statementsOn = (file: SqliteFile) => ({
  insert: file.query('insert into charges (seq, at, body, version, checksum) values (?, ?, ?, ?, ?)'),
  select: file.query<JournalRow, [number, number]>(
    'select seq, at, body, version, checksum from charges where seq > ? order by seq limit ?',
  ),
  removeRange: file.query('delete from charges where seq between ? and ?'),
  removeOne: file.query('delete from charges where seq = ?'),
  markRemoved: file.query('update marks set removed = max(removed, ?) where id = 1'),
  probe: file.query(`insert or replace into probes (id, filler) values (1, zeroblob(${probeBytes}))`),
  first: file.query<{ at: number }, []>('select at from charges order by seq limit 1'),
  highest: file.query<{ seq: number }, []>(
    'select max((select coalesce(max(seq), 0) from charges), (select removed from marks)) as seq',
  ),
  count: file.query<{ depth: number }, []>('select count(*) as depth from charges'),
})

class FileJournal implements Journal {
  readonly #file: SqliteFile
  readonly #path: string
  readonly #mark: JournalMark
  readonly #onSetAside: OnSetAside
  readonly #statements: Statements
  readonly #insertAll: Insertion
  readonly #removeAll: Removal
  #depth: number
  #last: number
  /** What the file holds, as long as that is little: most charges are read soon after they were written. */
  #recent: JournaledCharge[] = []

  constructor(file: SqliteFile, path: string, mark: JournalMark, onSetAside: OnSetAside) {
    this.#file = file
    this.#path = path
    this.#mark = mark
    this.#onSetAside = onSetAside
    this.#statements = statementsOn(file)
    this.#insertAll = insertionOn(file, this.#statements)
    this.#removeAll = removalOn(file, this.#statements)
    this.#depth = this.#statements.count.get()?.depth ?? 0
    this.#last = this.#statements.highest.get()?.seq ?? 0
    this.#reportMissing()
  }

  get depth(): number {
    return this.#depth
  }

  get last(): number {
    return this.#last
  }

  append(records: readonly ChargeRecord[], nowMs: number): void {
    const last = this.#last + records.length
    const appended = this.#commit(
      () => this.#insertAll.immediate(records, this.#last, nowMs),
      () => this.#last === last,
    )
    if (appended) {
      this.#remember(appended)
      this.#depth += appended.length
      this.#last = last
    }
    this.#mark.write(this.#last)
  }

  read(after: number, maxCharges: number): JournaledCharge[] {
    if (this.#recent.length === this.#depth) return this.#recent.filter(({ seq }) => seq > after).slice(0, maxCharges)
    for (let from = after; ;) {
      const { charges, end, isEnd } = this.#readFile(from, maxCharges)
      if (charges.length > 0 || isEnd) return charges
      from = end
    }
  }

  remove(charges: readonly JournaledCharge[]): void {
    if (charges.length > 0) this.#removeSeqs(charges.map(({ seq }) => seq))
  }

  probe(): void {
    this.#statements.probe.run()
  }

  oldestMs(): number | null {
    return this.#depth === 0 ? null : (this.#statements.first.get()?.at ?? null)
  }

  close(): void {
    this.#mark.close()
    this.#file.close()
    if (this.#depth > 0) return
    removeJournalMark(this.#path)
    for (const part of ['', '-wal', '-shm', '-journal']) rmSync(this.#path + part, { force: true })
  }

  #reportMissing(): void {
    const missing = this.#mark.last - this.#last
    if (missing <= 0) return
    const finding = {
      afterSeq: this.#last,
      upTo: this.#mark.last,
      atMost: missing,
      foundAt: new Date().toISOString(),
    }
    this.#last = this.#mark.last
    try {
      this.#onSetAside('missing', missing, keepAside(this.#path, 'missing', [finding]))
    } catch {
      this.#onSetAside('missing', missing, this.#path)
    }
  }

  /** A commit that reports an error may have been made; then the change counts as made, and null is returned. */
  #commit<Result>(change: () => Result, isCommitted: () => boolean): Result | null {
    try {
      return change()
    } catch (error) {
      this.#recount()
      if (!isCommitted()) throw error
      return null
    }
  }

  #recount(): void {
    this.#depth = this.#statements.count.get()?.depth ?? this.#depth
    this.#last = Math.max(this.#last, this.#statements.highest.get()?.seq ?? 0)
    this.#recent = []
  }

  #remember(appended: readonly JournaledCharge[]): void {
    const isWhole = this.#recent.length === this.#depth && this.#depth + appended.length <= maxRemembered
    if (isWhole) this.#recent.push(...appended)
    else this.#recent = []
  }

  #removeSeqs(seqs: readonly number[]): void {
    const left = this.#depth - seqs.length
    const removed = this.#commit(
      () => this.#removeAll.immediate(seqs),
      () => this.#depth === left,
    )
    if (removed === null) return
    const gone = new Set(seqs)
    this.#recent = this.#recent.filter(({ seq }) => !gone.has(seq))
    this.#depth = left
  }

  /** Rows that cannot be charged leave the journal for a file. */
  #setRowsAside(rows: readonly (JournalRow & { readonly reason: string })[]): void {
    try {
      const asidePath = keepAside(this.#path, 'unreadable', rows)
      this.#removeSeqs(rows.map(({ seq }) => seq))
      this.#onSetAside('unreadable', rows.length, asidePath)
    } catch (cause) {
      throw new JournalUnwritable(`Records that cannot be read could not be set aside: ${String(cause)}`, { cause })
    }
  }

  /** What a part of the file says, and the number up to which it was read. */
  #readFile(after: number, maxCharges: number): { charges: JournaledCharge[]; end: number; isEnd: boolean } {
    const rows = this.#statements.select.all(after, maxCharges)
    const charges: JournaledCharge[] = []
    const unreadable: (JournalRow & { reason: string })[] = []
    for (const row of rows) {
      const record = readRecord(row)
      if (typeof record === 'string') unreadable.push({ ...row, reason: record })
      else charges.push({ seq: row.seq, record })
    }
    if (unreadable.length > 0) this.#setRowsAside(unreadable)
    return { charges, end: rows.at(-1)?.seq ?? after, isEnd: rows.length < maxCharges }
  }
}

type Statements = ReturnType<typeof statementsOn>
type Insertion = ReturnType<typeof insertionOn>
type Removal = ReturnType<typeof removalOn>

/** Numbers that were used are not used again, though the file may be empty by now: they follow `last`. */
const insertionOn = (file: SqliteFile, { insert }: Statements) =>
  file.transaction((records: readonly ChargeRecord[], last: number, nowMs: number): JournaledCharge[] =>
    records.map((record, index) => {
      const seq = last + 1 + index
      const body = JSON.stringify(record)
      insert.run(seq, nowMs, body, recordVersion, checksumOf(body))
      return { seq, record }
    }),
  )

/** Returns true, so that null stays free for a change that was made though it failed. */
const removalOn = (file: SqliteFile, { removeRange, removeOne, markRemoved }: Statements) =>
  file.transaction((seqs: readonly number[]): boolean => {
    const [from, to] = [seqs[0] ?? 0, seqs.at(-1) ?? 0]
    if (to - from + 1 === seqs.length) removeRange.run(from, to)
    else for (const seq of seqs) removeOne.run(seq)
    markRemoved.run(to)
    return true
  })
