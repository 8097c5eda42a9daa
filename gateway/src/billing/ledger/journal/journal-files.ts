import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'

const suffix = '.journal.sqlite'

export const journalPath = (folder: string, workerId: string): string => join(folder, `${workerId}${suffix}`)

/** Ids of the workers that left a journal. */
export const journalsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length))
    .sort()

/** What is kept of a journal that could not be charged whole, and what it means. */
const setAsideSuffixes = {
  /** A file that SQLite cannot read to its end. */
  damaged: '.damaged',
  /** Records that are not what was written, one a line. */
  unreadable: '.unreadable',
  /** How many records are missing at the end of a journal, one finding a line. */
  missing: '.missing',
} as const

type SetAsideKind = keyof typeof setAsideSuffixes

const pathOf = (path: string, kind: SetAsideKind): string => `${path}${setAsideSuffixes[kind]}`

/** Files that hold what could not be charged. Nothing removes them but a person. */
export const setAsideIn = (folder: string): string[] => {
  if (!existsSync(folder)) return []
  const endings = Object.values(setAsideSuffixes).map((ending) => `${suffix}${ending}`)
  return readdirSync(folder)
    .filter((name) => endings.some((ending) => name.endsWith(ending)))
    .sort()
}

/** Put a damaged journal out of the way, nothing of it deleted. Returns where it is now. */
export function setAside(path: string): string {
  const damaged = pathOf(path, 'damaged')
  for (const part of ['-wal', '-last', '']) if (existsSync(path + part)) renameSync(path + part, damaged + part)
  return damaged
}

/** Append lines to what is set aside of a journal; they are on the disk when it returns. Returns where. */
export function keepAside(path: string, kind: 'unreadable' | 'missing', lines: readonly object[]): string {
  const asidePath = pathOf(path, kind)
  const file = openSync(asidePath, 'a', 0o600)
  try {
    writeSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return asidePath
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
