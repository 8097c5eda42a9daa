import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { readConfig, type Config } from '../../platform/config/config'
import { lockFolder, pathsIn } from '../../platform/store/data-folder'
import { openSqliteReadOnly } from '../../platform/store/database'
import { isTooOld, tooOldSentence } from '../../platform/store/earlier-builds'
import { schemaState } from '../../platform/store/migrate'
import { CommandError, UsageError, type Command } from './command'
import { databaseName, readBackup, type Manifest } from '../../operations/manifest'
import { messageOf } from '../../platform/text/message-of'

/** Restores a backup into an empty data folder. */
export const restore: Command = {
  name: 'restore',
  parameters: '<folder>',
  summary: 'Put a backup into DATA_DIR, which must be empty.',
  details: [
    'Every file of the backup is checked first. The gateway must not run; start it afterwards.',
    'With DATABASE_URL restore the database with pg_restore too, before the gateway starts.',
    'The restored folder replaces the one that was backed up: never run both.',
  ],
  async run(parameters, { environment, print }) {
    const [source, ...rest] = parameters
    if (!source || rest.length > 0) throw new UsageError('restore takes one folder, which backup made.')
    const config = readConfig(environment)
    const backup = resolve(source)
    const manifest = await readBackup(backup)
    checkDatabase(manifest, config)
    if (manifest.database === 'sqlite') await checkSchema(join(backup, databaseName))
    const { path } = pathsIn(config.dataDir)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    using _lock = lockEmpty(path)
    copyInto(path, backup, manifest)
    print(`Restored ${manifest.files.length} files of ${manifest.createdAt}, release ${manifest.release}, into ${path}`)
    for (const line of remindersFor(manifest, config)) print(line)
    return 0
  },
}

function checkDatabase({ database }: Manifest, config: Config) {
  if (database === 'sqlite' && config.databaseUrl) {
    throw new CommandError('The backup contains an SQLite database, but DATABASE_URL is set. Restore without it.')
  }
  if (database === 'postgres' && !config.databaseUrl) {
    throw new CommandError('The backup is of a gateway on PostgreSQL. Set DATABASE_URL to the restored database.')
  }
}

async function checkSchema(path: string): Promise<void> {
  const database = openSqliteReadOnly(path)
  try {
    if (isTooOld(await schemaState(database))) throw new CommandError(tooOldSentence)
  } finally {
    await database.close()
  }
}

/** Keeps other processes from filling the folder meanwhile. */
function lockEmpty(path: string) {
  const isEmpty = () =>
    readdirSync(path).every((name) => name === 'lock' || name.startsWith('lock-') || isOfTheVolume(name))
  // Before the lock, whose file would end up in a folder that is not ours.
  if (!existsSync(pathsIn(path).lockPath) && !isEmpty()) throw notEmpty(path)
  const lock = lockOf(path)
  if (isEmpty()) return lock
  lock[Symbol.dispose]()
  throw notEmpty(path)
}

/** New volumes and home folders come with these. */
const isOfTheVolume = (name: string) => name === 'lost+found' || name.startsWith('.')

function lockOf(path: string) {
  try {
    return lockFolder({ path })
  } catch (cause) {
    throw new CommandError(`${messageOf(cause)}. Stop it first.`, { cause })
  }
}

const notEmpty = (path: string) =>
  new CommandError(`${path} is not empty. A backup goes into an empty DATA_DIR: move away what is in it.`)

/** The database comes last and is renamed at once: an interrupted restore leaves none. */
function copyInto(path: string, backup: string, { files }: Manifest) {
  mkdirSync(join(path, 'journal'), { mode: 0o700 })
  const inOrder = files.map(({ name }) => name).sort((a, b) => Number(a === databaseName) - Number(b === databaseName))
  for (const name of inOrder) {
    const part = join(path, `${name}.part`)
    mkdirSync(dirname(part), { recursive: true })
    copyFileSync(join(backup, name), part)
    chmodSync(part, 0o600)
    renameSync(part, join(path, name))
  }
}

function remindersFor({ database, files }: Manifest, config: Config): string[] {
  const lines: string[] = []
  if (database === 'postgres') lines.push('Restore the database with pg_restore before the gateway starts.')
  if (!config.secretKey && !files.some(({ name }) => name === 'secret-key')) {
    lines.push('There was no secret key in the backup: set SECRET_KEY to the one that was in use.')
  }
  lines.push('Then start the gateway; tollgate doctor and tollgate reconcile check its state.')
  return lines
}
