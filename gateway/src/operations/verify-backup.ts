import { Database as SqliteFile } from 'bun:sqlite'
import { join } from 'node:path'

import { messageOf } from '../platform/text/message-of'
import { databaseName, readBackup, type Manifest } from './manifest'
import { UpkeepError } from './upkeep-error'

/**
 * Compares the files of a backup with what was written, and reads its database to the end.
 * @throws UpkeepError naming what is wrong with it.
 */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const manifest = await readBackup(folder)
  if (manifest.files.some(({ name }) => name === databaseName)) checkDatabase(join(folder, databaseName))
  return manifest
}

function checkDatabase(path: string): void {
  const failure = failureOf(path)
  if (failure) throw new UpkeepError(`The database in the backup is damaged: ${failure}`)
}

function failureOf(path: string): string {
  try {
    using file = new SqliteFile(path, { readonly: true })
    const row = file.query<{ quick_check: string }, []>('pragma quick_check(1)').get()
    return row?.quick_check === 'ok' ? '' : (row?.quick_check ?? 'no answer')
  } catch (error) {
    return messageOf(error)
  }
}
