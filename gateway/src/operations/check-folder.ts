import { Database as SqliteFile } from 'bun:sqlite'
import { accessSync, constants, existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { formatBytes } from '@tollgate/contract'

import { journalPath, journalsIn, setAsideIn } from '../billing/ledger/journal/journal-files'
import { diskSpaceOf, type pathsIn } from '../platform/store/data-folder'
import { journalContents } from './copy-journal'
import { fail, ok, sentence, warn, type Finding } from './finding'
import { messageOf } from '../platform/text/message-of'

type Paths = ReturnType<typeof pathsIn>

/** Returns whether a gateway holds the folder. Read-only: the lock is neither created nor taken. */
export function isHeld({ lockPath }: Paths): boolean {
  if (!existsSync(lockPath)) return false
  try {
    using file = new SqliteFile(lockPath, { readonly: true })
    file.query('select count(*) from sqlite_master').get()
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY'
  }
}

/** Checks that the data folder can be written, or created. */
export function checkWritable(paths: Paths): Finding {
  const subject = 'data-folder'
  try {
    const nearest = nearestFolder(paths.path)
    if (nearest !== paths.path) {
      accessSync(nearest, constants.W_OK | constants.X_OK)
      return ok(subject, sentence('folder.missing', { path: paths.path }))
    }
    const probe = join(paths.path, `.doctor-${crypto.randomUUID()}`)
    writeFileSync(probe, '', { flag: 'wx' })
    rmSync(probe)
    for (const path of [paths.sqlitePath, paths.secretKeyPath, paths.journalFolder].filter((path) =>
      existsSync(path),
    )) {
      accessSync(path, constants.R_OK | constants.W_OK)
    }
    return ok(subject, sentence('folder.writable', { path: paths.path }))
  } catch (error) {
    const text = sentence('folder.read-only', { path: paths.path, reason: messageOf(error) })
    return fail(subject, text, sentence('folder.read-only.advice'))
  }
}

const megabyte = 1024 * 1024
const gigabyte = 1024 * megabyte
/** With less the disk is nearly full. */
export const scarceBytes = gigabyte
const tooFewBytes = 100 * megabyte

/** Checks the space for the database and the journal. */
export function checkDisk(paths: Paths, freeBytes = freeBytesOf): Finding {
  const subject = 'disk'
  const advice = sentence('disk.advice')
  try {
    const free = freeBytes(nearestFolder(paths.path))
    const text = sentence('disk.free', { size: formatBytes(free) })
    if (free < tooFewBytes) return fail(subject, text, advice)
    return free < scarceBytes ? warn(subject, text, advice) : ok(subject, text)
  } catch (error) {
    return fail(subject, sentence('disk.unknown', { reason: messageOf(error) }), advice)
  }
}

export const freeBytesOf = (folder: string): number => diskSpaceOf(folder).free

/** Returns the folder itself, or the one above it in which it will be created. @throws Error when that is not a folder. */
function nearestFolder(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return nearestFolder(dirname(path))
  if (!stat.isDirectory()) throw new Error(`${path} is a file`)
  return path
}

/** A journal is emptied several times a second while the database responds. */
const graceMs = 60_000

/** Checks the charges that wait for the database. */
export function checkJournals(paths: Paths, isRunning: boolean, nowMs: number): Finding {
  const subject = 'journal'
  try {
    const aside = setAsideIn(paths.journalFolder)
    if (aside.length > 0) {
      const text = sentence('journal.set-aside', { files: aside.join(', ') })
      return warn(subject, text, sentence('journal.set-aside.advice'))
    }
    const journals = existsSync(paths.journalFolder) ? journalsIn(paths.journalFolder) : []
    const contents = journals.map((id) => journalContents(journalPath(paths.journalFolder, id)))
    const charges = contents.reduce((sum, one) => sum + (one?.charges ?? 0), 0)
    const damaged = journals.filter((_, index) => contents[index]?.unreadable)
    if (damaged.length > 0) {
      const files = damaged.map((id) => journalPath(paths.journalFolder, id)).join(', ')
      return fail(subject, sentence('journal.damaged', { files }), sentence('journal.damaged.advice'))
    }
    if (charges === 0) return ok(subject, sentence('journal.empty'))
    const oldestMs = Math.min(...contents.map((one) => one?.oldestMs ?? nowMs))
    const seconds = Math.round((nowMs - oldestMs) / 1000)
    const text = sentence('journal.waiting', { count: charges, seconds })
    if (!isRunning) return warn(subject, text, sentence('journal.stopped.advice'))
    if (nowMs - oldestMs < graceMs) return ok(subject, text)
    return warn(subject, text, sentence('journal.slow.advice'))
  } catch (error) {
    const advice = sentence('journal.unreadable.advice', { path: paths.journalFolder })
    return fail(subject, sentence('reason', { reason: messageOf(error) }), advice)
  }
}
