import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'

import { StartError } from '../config/start-error'
import { randomHex, systemRandom } from '../random'
import { isBusy, lockFile, type FileLock } from './file-lock'

/** What a gateway keeps on its own disk: the database when it is SQLite, the journal, its name and its secret. */
export interface DataFolder {
  readonly path: string
  readonly sqlitePath: string
  readonly journalFolder: string
  /** Stable for the life of the folder. */
  readonly nodeId: string
}

/** Returns the paths in a data folder, whether they exist or not. */
export function pathsIn(path: string) {
  const folder = resolve(path)
  return {
    path: folder,
    sqlitePath: join(folder, 'tollgate.sqlite'),
    journalFolder: join(folder, 'journal'),
    nodeIdPath: join(folder, 'node-id'),
    secretKeyPath: join(folder, 'secret-key'),
    lockPath: join(folder, 'lock'),
    setupCodePath: join(folder, 'setup-code'),
    lastBackupPath: join(folder, 'last-backup'),
    exportsPath: join(folder, 'exports'),
  }
}

/** Creates the folder and what belongs in it. @throws StartError when it cannot be written. */
export function openDataFolder(path: string): DataFolder {
  const { path: folder, sqlitePath, journalFolder, nodeIdPath } = pathsIn(path)
  return writing(folder, () => {
    mkdirSync(journalFolder, { recursive: true, mode: 0o700 })
    const nodeId = readOrMake(nodeIdPath, () => crypto.randomUUID())
    hideFromOthers(folder, journalFolder)
    return { path: folder, sqlitePath, journalFolder, nodeId }
  })
}

/** Files that an earlier release, or a copy, left readable by others. New files are private from the start. */
function hideFromOthers(...folders: readonly string[]): void {
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isFile() && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
    }
  }
}

/** @throws StartError in place of an error of the file system. */
function writing<T>(folder: string, write: () => T): T {
  try {
    return write()
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause) || cause instanceof StartError) throw cause
    const isFull = cause.code === 'ENOSPC' || cause.code === 'EDQUOT' || cause.code === 'SQLITE_FULL'
    const advice = isFull
      ? 'Free some space, or move DATA_DIR'
      : 'Give the user that runs the gateway the folder, or set DATA_DIR'
    throw new StartError(`The data folder ${folder} cannot be written: ${cause.message}. ${advice}.`, { cause })
  }
}

/** Returns the key that seals secrets at rest: the operator's, or one created in the folder that only its owner can read. */
export function secretKeyOf(folder: Pick<DataFolder, 'path'>, configured: string): Uint8Array {
  const text = configured || readOrMake(pathsIn(folder.path).secretKeyPath, () => randomHex(systemRandom, 32))
  return new TextEncoder().encode(text)
}

/** Returns the path of the key that a change of the key in the folder has begun to seal with. */
export const nextSecretKeyPath = ({ secretKeyPath }: Pick<ReturnType<typeof pathsIn>, 'secretKeyPath'>): string =>
  `${secretKeyPath}.next`

/** Returns the other key of a change: the one configured as previous, or that of an interrupted change in the folder. */
export function otherKeyOf(folder: Pick<DataFolder, 'path'>, configured: string): Uint8Array | undefined {
  const nextPath = nextSecretKeyPath(pathsIn(folder.path))
  const text = configured || (existsSync(nextPath) ? readFileSync(nextPath, 'utf8').trim() : '')
  return text === '' ? undefined : new TextEncoder().encode(text)
}

function readOrMake(path: string, make: () => string): string {
  if (!existsSync(path)) writeFileSync(path, `${make()}\n`, { mode: 0o600, flag: 'wx' })
  return readFileSync(path, 'utf8').trim()
}

/** Ensures one gateway per data folder. @throws StartError when another process holds it. */
export function lockFolder(folder: Pick<DataFolder, 'path'>): FileLock {
  try {
    return writing(folder.path, () => lockFile(pathsIn(folder.path).lockPath))
  } catch (error) {
    const cause = error instanceof StartError ? error.cause : error
    if (!isBusy(cause)) throw error
    throw new StartError(`Another gateway runs on the data folder ${folder.path}`, { cause })
  }
}

/** Returns the free bytes of the disk that a folder is on, and all of them. @throws Error when it cannot be read. */
export function diskSpaceOf(folder: string): { readonly free: number; readonly total: number } {
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}
