import { Database as SqliteFile } from 'bun:sqlite'

/** Held until it is disposed of, released by the system however its process ends. */
export interface FileLock extends Disposable {}

/**
 * Locks a file for this process alone, and creates it.
 * @throws SQLiteError `SQLITE_BUSY` when another process has it, see `isBusy`; or that of a folder that cannot be written.
 */
export function lockFile(path: string): FileLock {
  const file = new SqliteFile(path, { create: true })
  try {
    file.run('pragma locking_mode = exclusive')
    file.run('begin exclusive')
  } catch (error) {
    file.close()
    throw error
  }
  return { [Symbol.dispose]: () => file.close(true) }
}

/** Another process holds the file. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
