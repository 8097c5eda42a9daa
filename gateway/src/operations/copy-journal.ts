import { closeSync, existsSync, fstatSync, openSync, rmSync } from 'node:fs'

import { JournalLines, linesOf } from '../billing/ledger/journal/journal-lines'
import { readMark } from '../billing/ledger/journal/journal-mark'
import { readHead } from '../billing/ledger/journal/journal-record'

/** What waits in a journal. */
export interface JournalContents {
  readonly charges: number
  /** Lines that are not what was written. */
  readonly unreadable: number
  /** When the first of the charges was written, in milliseconds since 1970; null without one. */
  readonly oldestMs: number | null
}

/** Copies what waits in a worker's journal into a file. Returns null when the journal was removed meanwhile because it is empty. */
export const copyJournal = (path: string, copy: string): JournalContents | null =>
  untilSettled(() => {
    rmSync(copy, { force: true })
    const lines = new JournalLines(copy, 'process')
    try {
      return walk(path, (text) => lines.append(text))
    } finally {
      lines.close()
      if (lines.size === 0) rmSync(copy)
    }
  })

/** Returns what waits in a worker's journal; null as `copyJournal`. */
export const journalContents = (path: string): JournalContents | null => untilSettled(() => walk(path, () => {}))

const tries = 50

/** A journal that was emptied and written anew while it was read shows as lines that cannot be read. */
function untilSettled(read: () => JournalContents | null): JournalContents | null {
  for (let triesLeft = tries - 1; ; triesLeft -= 1) {
    const contents = read()
    if (!contents || contents.unreadable === 0 || triesLeft === 0) return contents
  }
}

const gatheredLength = 1_048_576

/** Reads a journal, also while its worker writes: lines are added at the end, and one that is being written has no end yet. */
function walk(path: string, take: (lines: string) => void): JournalContents | null {
  // Before the lines: what is removed meanwhile is charged again, which changes nothing.
  const { removed } = readMark(path)
  if (!existsSync(path)) return null
  const descriptor = openSync(path, 'r')
  try {
    let [charges, unreadable, gathered] = [0, 0, '']
    let oldestMs: number | null = null
    for (const { text } of linesOf(descriptor, 0, fstatSync(descriptor).size)) {
      const head = readHead(text)
      if (head && head.seq <= removed) continue
      if (head) charges += 1
      else unreadable += 1
      oldestMs ??= head?.at ?? null
      gathered += `${text}\n`
      if (gathered.length < gatheredLength) continue
      take(gathered)
      gathered = ''
    }
    if (gathered !== '') take(gathered)
    return { charges, unreadable, oldestMs }
  } finally {
    closeSync(descriptor)
  }
}
