import { existsSync, rmSync } from 'node:fs'

import type { Durability } from '../../../platform/store/database'
import { lockFile, type FileLock } from '../../../platform/store/file-lock'
import type { ChargeRecord } from '../charge/charge-record'
import { keepAside } from './journal-files'
import { JournalLines, type Line } from './journal-lines'
import { JournalMark, removeJournalMark } from './journal-mark'
import { lineOf, readHead, readRecord, type LineHead } from './journal-record'

export interface JournaledCharge {
  readonly seq: number
  readonly record: ChargeRecord
}

/** Charges that are durable on this machine and wait for the database. One file per worker, locked by its process. */
export interface Journal {
  /** All are on the disk when it returns, none when it throws. */
  append(records: readonly ChargeRecord[], nowMs: number): void
  /**
   * The first ones after a number, in their order. Lines that are not what was written are set aside.
   * @throws JournalUnwritable when they cannot be.
   */
  read(after: number, maxCharges: number): JournaledCharge[]
  /** Removes all charges that the last `read` returned. */
  remove(charges: readonly JournaledCharge[]): void
  /** Writes something that does not matter. @throws when the disk takes nothing. */
  probe(): void
  readonly depth: number
  /** Number of the charge that was appended last. */
  readonly last: number
  /** Milliseconds since 1970 of the first charge; null when there is none. */
  oldestMs(): number | null
  /** Closes it; an empty one leaves no file behind. May be called again. */
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
/** An empty journal smaller than this is not worth a call of the file system. */
const clearBytes = 1_048_576
/** What is gone at the front of a journal is dropped when there is this much of it, and more than what is left. */
const dropBytes = 16 * 1_048_576

/**
 * Opens a journal, or creates it, for this process alone.
 * @throws SQLiteError `SQLITE_BUSY` when another process has it.
 */
export function openJournal(path: string, durability: Durability, onSetAside: OnSetAside = () => {}): Journal {
  const lock = lockFile(lockPathOf(path))
  try {
    if (!existsSync(path)) removeJournalMark(path)
    return new FileJournal(new JournalLines(path, durability), lock, new JournalMark(path), onSetAside)
  } catch (error) {
    lock[Symbol.dispose]()
    throw error
  }
}

const lockPathOf = (path: string): string => `${path}-lock`

class FileJournal implements Journal {
  readonly #lines: JournalLines
  readonly #lock: FileLock
  readonly #mark: JournalMark
  readonly #onSetAside: OnSetAside
  #depth = 0
  #last = 0
  /** Records behind `#mark.removed` that are gone, too: an earlier one is left. */
  readonly #gone = new Set<number>()
  /** Before it is nothing that is left. */
  #start = 0
  #isClosed = false
  /** Behind the line that was read last. */
  #cursor = { seq: 0, position: 0 }
  /** The number after which was read last. */
  #readAfter = 0
  /** What the file holds, as long as that is little: most charges are read soon after they were written. */
  #recent: Appended[] = []

  constructor(lines: JournalLines, lock: FileLock, mark: JournalMark, onSetAside: OnSetAside) {
    this.#lines = lines
    this.#lock = lock
    this.#mark = mark
    this.#onSetAside = onSetAside
    const { last, end } = this.#count()
    const cut = lines.size > end ? lines.cut(end) : ''
    this.#last = Math.max(last, mark.removed)
    this.#reportMissing(cut)
  }

  get depth(): number {
    return this.#depth
  }

  get last(): number {
    return this.#last
  }

  append(records: readonly ChargeRecord[], nowMs: number): void {
    let lines = ''
    let seq = this.#last
    for (const record of records) lines += lineOf(record, (seq += 1), nowMs)
    this.#lines.append(lines)
    this.#remember(records, nowMs)
    this.#depth += records.length
    this.#last = seq
    this.#mark.write({ last: seq })
  }

  read(after: number, maxCharges: number): JournaledCharge[] {
    this.#readAfter = after
    if (this.#recent.length === this.#depth) return this.#recent.filter(({ seq }) => seq > after).slice(0, maxCharges)
    return this.#readLines(after, maxCharges)
  }

  remove(charges: readonly JournaledCharge[]): void {
    const last = charges.at(-1)?.seq
    if (last === undefined) return
    this.#depth -= charges.length
    if (this.#readAfter > this.#mark.removed) for (const { seq } of charges) this.#gone.add(seq)
    else this.#letGo(last)
    const isRemoved = new Set(charges.map(({ seq }) => seq))
    this.#recent = this.#recent.filter(({ seq }) => !isRemoved.has(seq))
    this.#shrink()
  }

  probe(): void {
    this.#lines.probe(probeBytes)
  }

  oldestMs(): number | null {
    if (this.#depth === 0) return null
    if (this.#recent.length === this.#depth) return this.#recent[0]?.at ?? null
    for (const { head } of this.#remaining(this.#start)) return head?.at ?? null
    return null
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#mark.close()
    this.#lines.close()
    const { path } = this.#lines
    if (this.#depth === 0) {
      rmSync(path, { force: true })
      removeJournalMark(path)
    }
    this.#lock[Symbol.dispose]()
    rmSync(lockPathOf(path), { force: true })
  }

  /** Returns the number of the last line, and where the lines end. */
  #count(): { last: number; end: number } {
    let [last, end] = [0, 0]
    for (const line of this.#lines.from(0)) {
      const head = readHead(line.text)
      // Numbers rise by one from line to line: one that cannot be read has the next.
      last = head?.seq ?? last + 1
      end = line.end
      if (!head || head.seq > this.#mark.removed) this.#depth += 1
    }
    return { last, end }
  }

  /** Lines that a worker was promised and that are not there. A line that was cut before it was promised is nothing. */
  #reportMissing(cut: string): void {
    const missing = this.#mark.last - this.#last
    const isForeign = cut !== '' && this.#last === 0 && missing <= 0
    if (missing <= 0 && !isForeign) return
    const foundAt = new Date().toISOString()
    const finding = isForeign
      ? { reason: 'it is not a line of a journal', line: cut }
      : { afterSeq: this.#last, upTo: this.#mark.last, atMost: missing, foundAt, cut }
    this.#last = Math.max(this.#last, this.#mark.last)
    const [kind, count] = isForeign ? (['unreadable', 1] as const) : (['missing', missing] as const)
    const { path } = this.#lines
    try {
      this.#onSetAside(kind, count, keepAside(path, kind, [finding]))
    } catch {
      this.#onSetAside(kind, count, path)
    }
  }

  #remember(records: readonly ChargeRecord[], at: number): void {
    const isWhole = this.#recent.length === this.#depth && this.#depth + records.length <= maxRemembered
    if (!isWhole) {
      this.#recent = []
      return
    }
    for (const [index, record] of records.entries())
      this.#recent.push({ seq: this.#last + 1 + index, record, at, end: null })
    this.#noteEnd()
  }

  /** Yields the lines that are left, and those that are not what was written. */
  *#remaining(from: number): Generator<RemainingLine> {
    for (const line of this.#lines.from(from)) {
      const head = readHead(line.text)
      if (!head || (head.seq > this.#mark.removed && !this.#gone.has(head.seq))) yield { line, head }
    }
  }

  #readLines(after: number, maxCharges: number): JournaledCharge[] {
    const isBehind = this.#cursor.seq <= Math.max(after, this.#mark.removed) && this.#cursor.position >= this.#start
    const charges: JournaledCharge[] = []
    const unreadable: Unreadable[] = []
    for (const { line, head } of this.#remaining(isBehind ? this.#cursor.position : this.#start)) {
      if (head && head.seq <= after) continue
      if (!head) {
        unreadable.push({ reason: 'the checksum does not match', line: line.text })
        continue
      }
      const record = readRecord(head)
      if (typeof record === 'string') {
        unreadable.push({ seq: head.seq, at: head.at, reason: record, line: line.text })
        continue
      }
      charges.push({ seq: head.seq, record })
      this.#cursor = { seq: head.seq, position: line.end }
      if (charges.length === maxCharges) break
    }
    if (unreadable.length > 0) this.#setLinesAside(unreadable)
    return charges
  }

  /** All up to a number are gone. */
  #letGo(last: number): void {
    this.#mark.write({ removed: last })
    for (const seq of this.#gone) if (seq <= last) this.#gone.delete(seq)
    if (this.#cursor.seq !== 0 && this.#cursor.seq <= last) this.#start = Math.max(this.#start, this.#cursor.position)
    for (const { seq, end } of this.#recent) if (seq <= last && end !== null) this.#start = Math.max(this.#start, end)
  }

  /** Gives back the room of what is gone. On a disk that takes nothing it stays until the next time. */
  #shrink(): void {
    const { size } = this.#lines
    try {
      if (this.#depth === 0 && size >= clearBytes) {
        this.#lines.clear()
        this.#rewind()
      } else if (this.#start >= dropBytes && this.#start > size / 2) this.#rewrite(() => true)
    } catch {
      // What is gone is known by its numbers.
    }
  }

  /** Lines that cannot be charged leave the journal for a file. */
  #setLinesAside(lines: readonly Unreadable[]): void {
    const { path } = this.#lines
    const texts = new Set(lines.map(({ line }) => line))
    try {
      const asidePath = keepAside(path, 'unreadable', lines)
      this.#rewrite(({ line }) => !texts.has(line.text))
      this.#depth -= lines.length
      this.#onSetAside('unreadable', lines.length, asidePath)
    } catch (cause) {
      throw new JournalUnwritable(`Records that cannot be read could not be set aside: ${String(cause)}`, { cause })
    }
  }

  /** Writes the file anew, with those of the lines that are left that `isRetained` names. */
  #rewrite(isRetained: (remaining: RemainingLine) => boolean): void {
    this.#lines.replace(this.#retainedText(isRetained))
    this.#rewind()
  }

  *#retainedText(isRetained: (remaining: RemainingLine) => boolean): Generator<string> {
    for (const remaining of this.#remaining(this.#start)) if (isRetained(remaining)) yield `${remaining.line.text}\n`
  }

  /** Positions of the file that was are not those of the file that is. */
  #rewind(): void {
    this.#start = 0
    this.#cursor = { seq: 0, position: 0 }
    for (const appended of this.#recent) appended.end = null
    this.#noteEnd()
  }

  #noteEnd(): void {
    const newest = this.#recent.at(-1)
    if (newest) newest.end = this.#lines.size
  }
}

interface Appended extends JournaledCharge {
  readonly at: number
  /** Where its line ends; null where that is not known. */
  end: number | null
}

interface RemainingLine {
  readonly line: Line
  /** Null for a line that is not what was written. */
  readonly head: LineHead | null
}

interface Unreadable extends Partial<Pick<LineHead, 'seq' | 'at'>> {
  readonly reason: string
  readonly line: string
}
