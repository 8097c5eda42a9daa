import { Database as SqliteFile } from 'bun:sqlite'
import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { journalPath, journalsIn, setAsideIn } from '../ledger/journal-files'
import type { pathsIn } from '../store/data-folder'
import { copyJournal } from './copy-journal'
import { fail, ok, warn, type Finding } from './finding'
import { reasonOf } from '../reason-of'

type Paths = ReturnType<typeof pathsIn>

/** Whether a gateway holds the folder. Only asks: the lock is neither made nor taken. */
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

/** The data folder can be written, or made. */
export function checkWritable(paths: Paths): Finding {
  const subject = 'data folder'
  const advice = 'Give the user that runs the gateway the folder, or set DATA_DIR'
  try {
    const nearest = nearestFolder(paths.path)
    if (nearest !== paths.path) {
      accessSync(nearest, constants.W_OK | constants.X_OK)
      return ok(subject, `${paths.path} is not there yet and will be made`)
    }
    const probe = join(paths.path, `.doctor-${crypto.randomUUID()}`)
    writeFileSync(probe, '', { flag: 'wx' })
    rmSync(probe)
    for (const path of [paths.sqlitePath, paths.secretKeyPath, paths.journalFolder].filter((path) =>
      existsSync(path),
    )) {
      accessSync(path, constants.R_OK | constants.W_OK)
    }
    return ok(subject, `${paths.path} can be written`)
  } catch (error) {
    return fail(subject, `${paths.path} cannot be written: ${reasonOf(error)}`, advice)
  }
}

const megabyte = 1024 * 1024
const scarceBytes = 1024 * megabyte
const tooFewBytes = 100 * megabyte

/** Room for the database and the journal. */
export function checkDisk(paths: Paths, freeBytes = freeBytesOf): Finding {
  const subject = 'disk'
  const advice = 'Make room, or move DATA_DIR: without any no call can be charged'
  try {
    const free = freeBytes(nearestFolder(paths.path))
    const text = `${Math.floor(free / megabyte)} MB are free for DATA_DIR`
    if (free < tooFewBytes) return fail(subject, text, advice)
    return free < scarceBytes ? warn(subject, text, advice) : ok(subject, text)
  } catch (error) {
    return fail(subject, `The free space of DATA_DIR cannot be read: ${reasonOf(error)}`, advice)
  }
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** The folder itself, or the one above it in which it will be made. @throws Error when that is none. */
function nearestFolder(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return nearestFolder(dirname(path))
  if (!stat.isDirectory()) throw new Error(`${path} is a file`)
  return path
}

/** A journal is emptied several times a second while the database answers. */
const patienceMs = 60_000

const asideAdvice = 'Look after the disk; what the files hold or tell of was not charged. Then move them away'

/** Charges that wait for the database. */
export function checkJournals(paths: Paths, isRunning: boolean, nowMs: number): Finding {
  const subject = 'journal'
  const scratch = mkdtempSync(join(tmpdir(), 'tollgate-doctor-'))
  try {
    const hasFolder = existsSync(paths.journalFolder)
    const journals = hasFolder ? journalsIn(paths.journalFolder) : []
    const aside = setAsideIn(paths.journalFolder)
    const copies = journals.map((id) => copyJournal(journalPath(paths.journalFolder, id), journalPath(scratch, id)))
    const charges = copies.reduce((sum, copy) => sum + (copy?.charges ?? 0), 0)
    if (aside.length > 0) return warn(subject, `charges that could not be read: ${aside.join(', ')}`, asideAdvice)
    if (charges === 0) return ok(subject, 'no charge waits for the database')
    const oldestMs = Math.min(...copies.map((copy) => copy?.oldestMs ?? nowMs))
    const seconds = Math.round((nowMs - oldestMs) / 1000)
    const text = `${charges} charges wait for the database, the oldest since ${seconds} s`
    if (!isRunning) return warn(subject, text, 'Start the gateway, which charges them, and never delete the folder')
    if (nowMs - oldestMs < patienceMs) return ok(subject, text)
    return warn(subject, text, 'See whether the database answers, and the log of the gateway')
  } catch (error) {
    return fail(subject, reasonOf(error), `Look into ${paths.journalFolder}: charges may be in it`)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
