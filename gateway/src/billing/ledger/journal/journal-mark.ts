import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'

import { noFile } from './journal-lines'

/** Enough for the digits of any number that a journal reaches. */
const digits = 16

const pathOf = (journal: string): string => `${journal}-mark`

/**
 * The numbers of the last record that a journal took and of the last that it let go, in a file next to it. A journal that was cut reads as
 * one that ends earlier; the first number shows that there was more. Each is written after the fact, so it never says more than is true.
 */
export class JournalMark {
  readonly #buffer = Buffer.alloc(2 * digits + 1, ' ')
  #descriptor: number
  #last: number
  #removed: number

  constructor(journal: string) {
    const path = pathOf(journal)
    closeSync(openSync(path, 'a', 0o600))
    const { last, removed } = readMark(journal)
    this.#last = last
    this.#removed = removed
    this.#descriptor = openSync(path, 'r+')
  }

  /** 0 when nothing was taken yet. */
  get last(): number {
    return this.#last
  }

  /** All up to this one are gone. */
  get removed(): number {
    return this.#removed
  }

  write({ last = this.#last, removed = this.#removed }: { readonly last?: number; readonly removed?: number }): void {
    this.#last = last
    this.#removed = removed
    this.#buffer.fill(' ')
    this.#buffer.write(String(last), 'latin1')
    this.#buffer.write(String(removed), digits + 1, 'latin1')
    try {
      writeSync(this.#descriptor, this.#buffer, 0, this.#buffer.length, 0)
    } catch {
      // Then it says less than is true: a cut that is not noticed, or charges that are offered to the database again.
    }
  }

  close(): void {
    closeSync(this.#descriptor)
    this.#descriptor = noFile
  }
}

/** Returns what the mark of a journal says now; zeros where there is none. */
export function readMark(journal: string): { readonly last: number; readonly removed: number } {
  const path = pathOf(journal)
  const [last, removed] = (existsSync(path) ? readFileSync(path, 'latin1') : '').trim().split(/ +/)
  return { last: numberOf(last), removed: numberOf(removed) }
}

const numberOf = (text = ''): number => {
  const value = Number(text)
  return Number.isSafeInteger(value) && value > 0 ? value : 0
}

export const removeJournalMark = (journal: string): void => rmSync(pathOf(journal), { force: true })
