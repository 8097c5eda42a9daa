import { Database as SqliteFile } from 'bun:sqlite'
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { readConfig, type Config } from '../config'
import { journalPath, journalsIn } from '../ledger/journal-files'
import { pathsIn } from '../process/data-folder'
import { version } from '../version'
import { CommandError, UsageError, type Command } from './command'
import { copyJournal } from './copy-journal'
import { databaseName, described, manifestName, type Manifest } from './manifest'
import { reasonOf } from './read-only'

type Paths = ReturnType<typeof pathsIn>

/** Save what a node keeps on its disk, consistent also while the gateway runs. */
export const backup: Command = {
  name: 'backup',
  parameters: '<folder>',
  summary: 'Save the database, the secret key and the journals in a new folder.',
  details: [
    'The gateway may run: the database is saved as of one moment, and no call waits for it.',
    'With DATABASE_URL the files of this machine are saved; the database is saved by pg_dump, right after this command.',
    'A SECRET_KEY from the environment is not in the backup: keep it yourself.',
  ],
  async run(parameters, { environment, print }) {
    const [target, ...rest] = parameters
    if (!target || rest.length > 0) throw new UsageError('backup takes one folder, which must not exist.')
    const config = readConfig(environment)
    const folder = resolve(target)
    if (existsSync(folder)) throw new CommandError(`${folder} exists already. A backup goes into a new folder.`)
    const files = await save(config, folder)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    print(`Saved ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, in ${folder}`)
    for (const line of remindersFor(config)) print(line)
    return 0
  },
}

/** Under another name until everything is in it: what bears the name is a whole backup. */
async function save(config: Config, folder: string): Promise<Manifest['files']> {
  const paths = pathsIn(config.dataDir)
  if (!existsSync(paths.nodeIdPath)) throw new CommandError(`${paths.path} is not a data folder. Is DATA_DIR right?`)
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  try {
    mkdirSync(join(unfinished, 'journal'), { recursive: true, mode: 0o700 })
    const names = copyFiles(config, paths, unfinished)
    const files = await Promise.all(names.map((name) => described(unfinished, name)))
    const manifest: Manifest = {
      format: 1,
      release: version,
      createdAt: new Date().toISOString(),
      database: config.databaseUrl ? 'postgres' : 'sqlite',
      files,
    }
    writeFileSync(join(unfinished, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    renameSync(unfinished, folder)
    return files
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
}

/**
 * Journals before the database: a charge that moves from one to the other meanwhile is then in both, and is charged
 * once; the other way round it would be in neither.
 */
function copyFiles(config: Config, paths: Paths, target: string): string[] {
  const names = ['node-id']
  copyFileSync(paths.nodeIdPath, join(target, 'node-id'))
  if (existsSync(paths.secretKeyPath)) {
    copyFileSync(paths.secretKeyPath, join(target, 'secret-key'))
    names.push('secret-key')
  }
  const journals = existsSync(paths.journalFolder) ? journalsIn(paths.journalFolder) : []
  for (const workerId of journals) {
    const copy = journalPath(join(target, 'journal'), workerId)
    const copied = copyJournal(journalPath(paths.journalFolder, workerId), copy)
    if (copied?.charges) names.push(copy.slice(target.length + 1))
    else rmSync(copy, { force: true })
  }
  if (!config.databaseUrl) {
    saveSqlite(paths.sqlitePath, join(target, databaseName))
    names.push(databaseName)
  }
  for (const name of names) chmodSync(join(target, name), 0o600)
  return names
}

/** One read transaction: writers go on, and what they write meanwhile is not in the copy. */
function saveSqlite(path: string, copy: string) {
  try {
    using file = new SqliteFile(path, { readwrite: true })
    file.run('pragma busy_timeout = 10000')
    file.run('vacuum into ?', [copy])
  } catch (cause) {
    throw new CommandError(`The database ${path} could not be saved: ${reasonOf(cause)}`, { cause })
  }
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
