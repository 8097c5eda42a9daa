import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { backupRoutes } from '@tollgate/contract'

import { AppError } from '../platform/app-error'
import type { Context } from '../context'
import { messageOf } from '../platform/text/message-of'
import { pathsIn, diskSpaceOf } from '../platform/store/data-folder'
import { createLock } from '../platform/store/lock'
import { readNote, writeNotes } from '../platform/store/site-notes'
import { parseManifest } from './manifest'

/*
 * The backups that a gateway keeps next to its data, made, verified and restored by the commands of the same names.
 */

type Deps = Pick<Context, 'clock' | 'config' | 'database' | 'log' | 'runCommand' | 'timers'>
type Attempt = backupRoutes.BackupAttempt

/** A crash leaves the lock for this long. */
const lockSeconds = 60
const renewMs = 20_000

/** Left free for charges while a backup is made. */
const spareBytes = 200 * 1024 * 1024

const scheduled = 'scheduled-'

export const backupFolder = ({ config }: Pick<Context, 'config'>): string =>
  join(pathsIn(config.dataDir).path, 'backups')

/** @throws AppError `backup.none`. */
export function backupPath(parts: Pick<Context, 'config'>, name: string): string {
  const path = join(backupFolder(parts), name)
  if (!existsSync(path)) throw new AppError('backup.none')
  return path
}

/** Resolves with the backups of this node, newest first. */
export async function listBackups(parts: Pick<Context, 'config'>): Promise<backupRoutes.Backup[]> {
  const folder = backupFolder(parts)
  if (!existsSync(folder)) return []
  const names = (await readdir(folder)).filter((name) => backupRoutes.BackupName.safeParse(name).success)
  return names
    .sort((one, other) => timeIn(other).localeCompare(timeIn(one)))
    .map((name) => describeBackup(folder, name))
}

const timeIn = (name: string): string => name.slice(name.indexOf('-'))

function describeBackup(folder: string, name: string): backupRoutes.Backup {
  const path = join(folder, name)
  const known = { name, is_scheduled: name.startsWith(scheduled) }
  try {
    const { createdAt, database, files, release } = parseManifest(path)
    return {
      ...known,
      created_at: Math.floor(Date.parse(createdAt) / 1000),
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      release,
      database,
      has_secret_key: files.some((file) => file.name === 'secret-key'),
      failure: '',
    }
  } catch (error) {
    const created_at = Math.floor(statSync(path).mtimeMs / 1000)
    return {
      ...known,
      created_at,
      bytes: 0,
      release: '',
      database: 'sqlite',
      has_secret_key: false,
      failure: messageOf(error),
    }
  }
}

/** Resolves with whether this node makes one, and the result of the last attempt. */
export async function backupState(parts: Pick<Context, 'clock' | 'config' | 'database'>) {
  const { clock, database } = parts
  const lock = await database.query
    .selectFrom('locks')
    .select('expires_at')
    .where('name', '=', noteName(parts))
    .executeTakeFirst()
  return {
    is_running: (lock?.expires_at ?? 0) * 1000 > clock.now(),
    last: await readNote(database.query, noteName(parts), backupRoutes.BackupAttempt),
  }
}

/** Name of the lock and of the note. */
const noteName = ({ config }: Pick<Context, 'config'>): string =>
  `backup:${readFileSync(pathsIn(config.dataDir).nodeIdPath, 'utf8').trim()}`

/**
 * Begins a backup of this node in a process of its own. `ended` resolves when it is complete or has failed.
 * @throws AppError `backup.running`, `backup.no_room`.
 */
export async function startBackup(parts: Deps, kind: 'manual' | 'scheduled') {
  const { clock, config, database } = parts
  const lock = createLock({
    database,
    clock,
    name: noteName(parts),
    holder: crypto.randomUUID(),
    seconds: lockSeconds,
  })
  if (!(await lock.acquire())) throw new AppError('backup.running')
  try {
    requireRoom(parts)
    const folder = backupFolder({ config })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const name = freeName(folder, kind, clock.now())
    return { name, ended: make(parts, join(folder, name), name, lock) }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function make(parts: Deps, path: string, name: string, lock: ReturnType<typeof createLock>): Promise<Attempt> {
  const { clock, timers, database, log, runCommand } = parts
  const endRenewals = timers.every(renewMs, () => void lock.acquire().catch(() => {}))
  const startedAt = clock.seconds()
  try {
    const failure = await runCommand(['backup', path]).then(failureOf, messageOf)
    const attempt = { name, started_at: startedAt, ended_at: clock.seconds(), failure }
    if (failure) log.error({ backup: name, reason: failure }, 'a backup could not be made')
    else log.info({ backup: name }, 'a backup was made')
    await writeNotes(database.query, [{ name: noteName(parts), value: attempt }], clock.now())
    return attempt
  } finally {
    endRenewals()
    await lock.release()
  }
}

/** Returns the last line, which has the reason; empty when the command succeeded. */
const failureOf = ({ code, output }: { code: number; output: string }): string =>
  code === 0 ? '' : (output.split('\n').at(-1) ?? '') || `code ${code}`

/** Without space no call can be charged, so a backup must not use the last of it. */
function requireRoom({ config }: Pick<Context, 'config'>): void {
  const { path, sqlitePath } = pathsIn(config.dataDir)
  const needed = spareBytes + (config.databaseUrl ? 0 : sizeOf(sqlitePath) + sizeOf(`${sqlitePath}-wal`))
  const { free } = diskSpaceOf(path)
  if (free >= needed) return
  throw new AppError('backup.no_room', { params: { needed: inMegabytes(needed), free: inMegabytes(free) } })
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
const inMegabytes = (bytes: number): number => Math.ceil(bytes / (1024 * 1024))

/** Two within a second have names a second apart. */
function freeName(folder: string, kind: 'manual' | 'scheduled', nowMs: number): string {
  const time = new Date(nowMs)
    .toISOString()
    .replaceAll(/[-:]|\.\d+Z/g, '')
    .replace('T', '-')
  const name = `${kind}-${time}`
  return existsSync(join(folder, name)) ? freeName(folder, kind, nowMs + 1000) : name
}

/** Resolves with what is wrong with a backup; empty when it is intact. @throws AppError `backup.none`. */
export const verifyInOwnProcess = async (
  parts: Pick<Context, 'config' | 'runCommand'>,
  name: string,
): Promise<string> => failureOf(await parts.runCommand(['verify', backupPath(parts, name)]))

/** @throws AppError `backup.none`. */
export async function removeBackup(parts: Pick<Context, 'config'>, name: string): Promise<void> {
  const path = backupPath(parts, name)
  // Removed from the list at once, however long it takes and however it ends.
  await rename(path, `${path}.deleted`)
  await rm(`${path}.deleted`, { recursive: true, force: true })
}

/** Removes the oldest scheduled backups beyond this number. Those made by hand stay. */
export async function keepScheduled(parts: Pick<Context, 'config'>, maxBackups: number): Promise<void> {
  const old = (await listBackups(parts)).filter((backup) => backup.is_scheduled).slice(maxBackups)
  for (const { name } of old) await removeBackup(parts, name)
}
