import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import { formatBytes } from '@tollgate/contract'

import { readConfig, type Config } from '../../platform/config/config'
import { saveBackup } from '../../operations/save-backup'
import { CommandError, UsageError, type Command } from './command'

/** Backs up what a node keeps on its disk, consistent even while the gateway runs. */
export const backup: Command = {
  name: 'backup',
  parameters: '<folder>',
  summary: 'Save the database, the secret key and the journals in a new folder.',
  details: [
    'The gateway may run: the database is saved as of one moment, without blocking calls.',
    'With DATABASE_URL the files of this machine are saved; the database is saved with pg_dump, right after this command.',
    'A SECRET_KEY from the environment is not in the backup: keep it yourself.',
  ],
  async run(parameters, { environment, print }) {
    const [target, ...rest] = parameters
    if (!target || rest.length > 0) throw new UsageError('backup takes one folder, which must not exist.')
    const config = readConfig(environment)
    const folder = resolve(target)
    if (existsSync(folder)) throw new CommandError(`${folder} exists already. A backup goes into a new folder.`)
    const files = await saveBackup(config, folder)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    print(`Saved ${files.length} files, ${formatBytes(bytes)}, in ${folder}`)
    for (const line of remindersFor(config)) print(line)
    return 0
  },
}

function remindersFor(config: Config): string[] {
  const lines: string[] = []
  if (config.databaseUrl) {
    lines.push(
      'The database is not in it. Now save that too: pg_dump --format=custom --file=tollgate.dump "$DATABASE_URL"',
    )
    lines.push('In this order, and on every machine before the dump, no charge is lost between the two.')
  }
  if (config.secretKey) lines.push('SECRET_KEY is not in it. Without it the keys of the channels cannot be read again.')
  return lines
}
