import { Database as SqliteFile } from 'bun:sqlite'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { StartError } from '../start-error'

/** What a gateway keeps on its own disk: the database when it is SQLite, the journal, its name and its secret. */
export interface DataFolder {
  readonly path: string
  readonly sqlitePath: string
  readonly journalFolder: string
  /** Stable for the life of the folder. */
  readonly nodeId: string
}

/** Where everything lies in a data folder, whether it is there or not. */
export function pathsIn(path: string) {
  const folder = resolve(path)
  return {
    path: folder,
    sqlitePath: join(folder, 'tollgate.sqlite'),
    journalFolder: join(folder, 'journal'),
    nodeIdPath: join(folder, 'node-id'),
    secretKeyPath: join(folder, 'secret-key'),
    lockPath: join(folder, 'lock'),
  }
}

/** Make the folder and what belongs in it. */
export function openDataFolder(path: string): DataFolder {
  const { path: folder, sqlitePath, journalFolder, nodeIdPath } = pathsIn(path)
  mkdirSync(journalFolder, { recursive: true, mode: 0o700 })
  return { path: folder, sqlitePath, journalFolder, nodeId: readOrMake(nodeIdPath, () => crypto.randomUUID()) }
}

/** The key that seals secrets at rest: the operator's, or one made in the folder for its owner's eyes alone. */
export function secretKeyOf(folder: Pick<DataFolder, 'path'>, configured: string): Uint8Array {
  const text = configured || readOrMake(pathsIn(folder.path).secretKeyPath, () => randomHex(32))
  return new TextEncoder().encode(text)
}

function readOrMake(path: string, make: () => string): string {
  if (!existsSync(path)) writeFileSync(path, `${make()}\n`, { mode: 0o600, flag: 'wx' })
  return readFileSync(path, 'utf8').trim()
}

const randomHex = (bytes: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex')

/** Held for the life of the process, released by the system however it ends. */
export interface FolderLock extends Disposable {}

/**
 * One gateway a data folder.
 * @throws StartError when another process holds it.
 */
export function lockFolder(folder: Pick<DataFolder, 'path'>): FolderLock {
  const file = new SqliteFile(pathsIn(folder.path).lockPath, { create: true })
  try {
    file.run('pragma locking_mode = exclusive')
    file.run('begin exclusive')
  } catch (cause) {
    file.close()
    throw new StartError(`Another gateway runs on the data folder ${folder.path}`, { cause })
  }
  return { [Symbol.dispose]: () => file.close() }
}
