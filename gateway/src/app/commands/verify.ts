import { join, resolve } from 'node:path'
import { Database as SqliteFile } from 'bun:sqlite'

import { UsageError, type Command } from './command'
import { messageOf } from '../../platform/text/message-of'
import { databaseName, readBackup, type Manifest } from '../../operations/manifest'
import { UpkeepError } from '../../operations/upkeep-error'

/** Checks whether a backup is what was written. */
export const verify: Command = {
  name: 'verify',
  parameters: '<folder>',
  summary: 'Compare the files of a backup with its manifest, and read its whole database.',
  details: ['Nothing is changed. Exit code 0: it is intact. 1: it is not, and the last line says what is wrong.'],
  async run(parameters, { print }) {
    const [source, ...rest] = parameters
    if (!source || rest.length > 0) throw new UsageError('verify takes the folder of one backup.')
    const { release, createdAt, files } = await verifyBackup(resolve(source))
    print(`Whole: ${files.length} files, made by ${release} at ${createdAt}`)
    return 0
  },
}

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
