import { Database as SqliteFile } from 'bun:sqlite'
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Config } from '../platform/config/config'
import { journalPath, journalsIn } from '../billing/ledger/journal/journal-files'
import { messageOf } from '../platform/text/message-of'
import { pathsIn } from '../platform/store/data-folder'
import { version } from '../platform/config/version'
import { copyJournal } from './copy-journal'
import { databaseName, describeFile, manifestName, type Manifest } from './manifest'
import { UpkeepError } from './upkeep-error'

type Paths = ReturnType<typeof pathsIn>

/**
 * Saves what a node keeps on its disk in a new folder, consistent even while the gateway runs. The folder has another name until
 * everything is in it: what has the name is a complete backup.
 * @throws UpkeepError when it cannot be saved.
 */
export async function saveBackup(config: Config, folder: string): Promise<Manifest['files']> {
  const paths = pathsIn(config.dataDir)
  if (!existsSync(paths.nodeIdPath)) throw new UpkeepError(`${paths.path} is not a data folder. Is DATA_DIR right?`)
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  try {
    mkdirSync(join(unfinished, 'journal'), { recursive: true, mode: 0o700 })
    const names = copyFiles(config, paths, unfinished)
    const files = await Promise.all(names.map((name) => describeFile(unfinished, name)))
    const manifest: Manifest = {
      format: 1,
      release: version,
      createdAt: new Date().toISOString(),
      database: config.databaseUrl ? 'postgres' : 'sqlite',
      files,
    }
    writeFileSync(join(unfinished, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    renameSync(unfinished, folder)
    noteBackup(paths, folder)
    return files
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
}

/** Leaves the time of the last backup for the metrics, wherever it was saved. */
function noteBackup({ lastBackupPath }: Paths, folder: string): void {
  try {
    writeFileSync(lastBackupPath, `${folder}\n`, { mode: 0o600 })
  } catch {
    // The backup is complete all the same.
  }
}

/**
 * Journals before the database: a charge that moves from one to the other meanwhile is then in both, and is charged once; the other way
 * round it would be in neither.
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
    if (copied && copied.charges + copied.unreadable > 0) names.push(copy.slice(target.length + 1))
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
    throw new UpkeepError(`The database ${path} could not be saved: ${messageOf(cause)}`, { cause })
  }
}
