import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'

/** Enough for the digits of any number that a journal reaches. */
const length = 16

/**
 * The number of the last record that a journal took, in a file next to it. SQLite reads a truncated log
 * up to where it is whole, without an error; this number shows that there was more. Written after the commit, so it never says more than was there.
 */
export interface JournalMark {
  /** What was written last; 0 when nothing was. */
  readonly last: number
  write(last: number): void
  close(): void
}

const pathOf = (journal: string): string => `${journal}-last`

export function openJournalMark(journal: string): JournalMark {
  const file = openSync(pathOf(journal), 'a+', 0o600)
  closeSync(file)
  const last = Number.parseInt(readFileSync(pathOf(journal), 'latin1').slice(0, length), 10)
  let descriptor: number | null = openSync(pathOf(journal), 'r+')
  const buffer = Buffer.alloc(length, ' ')
  return {
    last: Number.isSafeInteger(last) && last > 0 ? last : 0,
    write(last) {
      if (descriptor === null) return
      buffer.fill(' ')
      buffer.write(String(last), 'latin1')
      try {
        writeSync(descriptor, buffer, 0, length, 0)
      } catch {
        // Then it says less than there is, which is no more than a cut that is not noticed.
      }
    },
    /** May be called again: another file may have the number by then. */
    close() {
      if (descriptor !== null) closeSync(descriptor)
      descriptor = null
    },
  }
}

export const removeJournalMark = (journal: string): void => rmSync(pathOf(journal), { force: true })
