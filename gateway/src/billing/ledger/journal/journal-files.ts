import { closeSync, existsSync, fsyncSync, openSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'

const suffix = '.journal'

export const journalPath = (folder: string, workerId: string): string => join(folder, `${workerId}${suffix}`)

/** Ids of the workers that left a journal. */
export const journalsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length))
    .sort()

/** What is kept of a journal that could not be charged whole: a file of an earlier release, lines, or how many are missing at its end. */
type SetAsideKind = 'damaged' | 'unreadable' | 'missing'

export const asidePath = (path: string, kind: SetAsideKind): string => `${path}.${kind}`

/** Those of earlier releases were databases. */
const asideName = /\.journal(\.sqlite)?\.(damaged|unreadable|missing)$/

/** Files that hold what could not be charged. Nothing removes them but a person. */
export const setAsideIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => asideName.test(name))
        .sort()
    : []

/** Append lines to what is set aside of a journal; they are on the disk when it returns. Returns where. */
export function keepAside(path: string, kind: 'unreadable' | 'missing', lines: readonly object[]): string {
  const aside = asidePath(path, kind)
  const file = openSync(aside, 'a', 0o600)
  try {
    writeSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return aside
}

/** How many files of the journal folder hold charges that could not be read, or say that charges are missing. */
export class SetAsideFiles {
  #count: number

  constructor(
    readonly folder: string,
    readonly log: Logger,
  ) {
    this.#count = setAsideIn(folder).length
  }

  get count(): number {
    return this.#count
  }

  /** Keeps the last count while the folder cannot be read, for want of a file descriptor for example. */
  recount(): void {
    try {
      this.#count = setAsideIn(this.folder).length
    } catch (error) {
      this.log.warn({ error }, 'the journal folder could not be read')
    }
  }
}
