import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createSecretsCheck } from '../../channels/catalog/secrets-check'
import { readConfig, type Config } from '../../platform/config/config'
import { randomHex, systemRandom } from '../../platform/random'
import { openDataFolder, otherKeyOf, secretKeyOf } from '../../platform/store/data-folder'
import { openSqlite, type Database, type Queries } from '../../platform/store/database'
import { migrate, schemaState } from '../../platform/store/migrate'
import { openDatabase } from '../../platform/store/open-database'
import { createSeal, sha256, type Seal } from '../../platform/store/seal'
import { systemClock } from '../../platform/time/clock'
import { ImportError } from '../import/import-error'
import { readImport, type ImportNote } from '../../operations/import-note'
import { importSite } from '../import/import-site'
import { openSite } from '../import/open-site'
import { Report } from '../import/report'
import type { SiteSource } from '../import/site-source'
import { writeLogs } from '../import/write/write-logs'
import { auditCommand } from './act'
import { CommandError, UsageError, type Command, type CommandWorld } from './command'
import { requireSchema, requireStopped, withFolderLock } from './stopped-gateway'

/** Moves a site of another product into this gateway. */
export const importCommand: Command = {
  name: 'import',
  parameters: 'SOURCE [DATABASE] [--write] [--logs] [--logs-since DATE]',
  summary: 'Import a site of one-api, new-api, Veloera or LiteLLM.',
  details: [
    'SOURCE: a SQLite file, mysql://user:password@host/name or postgres://…; of LiteLLM its config.yaml, then the DATABASE of its virtual keys.',
    'Without --write nothing is changed: the import is tried on a copy that is thrown away, and reported.',
    'With --write it goes into an empty gateway, before it is set up, which must not run. The source is only read; stop it first.',
    'Ids, passwords and keys are kept. Balances are credits, so that tollgate reconcile finds the books even.',
    'With --logs, or --logs-since 2026-01-31, log rows follow, newest first. The gateway may run by then; a run that broke off goes on.',
    'Exit code 0: sums are equal. 1: they differ, or nothing could be imported.',
  ],
  async run(parameters, world) {
    const words = importWords(parameters)
    try {
      return await importFrom(words, world)
    } catch (error) {
      if (error instanceof ImportError) throw new CommandError(error.message, { cause: error })
      throw error
    }
  },
}

async function importFrom(words: ImportWords, world: CommandWorld): Promise<number> {
  const source = await openSite(words, world.environment, systemClock.seconds())
  try {
    world.print(`The source is ${source.product}.`)
    const identity = sha256(`${source.product} ${await source.identity()}`)
    return words.isWriting ? await write(source, identity, words, world) : await tryOut(source, identity, world)
  } finally {
    await source.close()
  }
}

/** Imports into a database that is thrown away, so the report tells what would be. */
async function tryOut(source: SiteSource, identity: string, { print }: CommandWorld): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-import-'))
  const database = openSqlite(join(folder, 'tollgate.sqlite'))
  try {
    await migrate(database)
    const seal = createSeal(new TextEncoder().encode(randomHex(systemRandom, 32)))
    const code = await importAll(source, identity, { database, seal, print })
    print('This was a trial: nothing was written. Repeat it with --write.')
    return code
  } finally {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function write(source: SiteSource, identity: string, words: ImportWords, world: CommandWorld): Promise<number> {
  const { environment, print } = world
  const config = readConfig(environment)
  const folder = openDataFolder(config.dataDir)
  const database = await openDatabase(config, folder.sqlitePath, { statementTimeoutMs: 30 * 60_000 })
  try {
    if ((await schemaState(database)).isEmpty) await withFolderLock(folder, () => migrate(database))
    await requireSchema(database)
    const earlier = await earlierImport(database.query, identity)
    let code = 0
    if (earlier)
      print(
        `It was imported on ${new Date(earlier.at * 1000).toISOString()}. Users, keys and channels are not taken again.`,
      )
    else {
      await requireStopped(database)
      const seal = await sealOf(config, folder, database)
      code = await withFolderLock(folder, () => importAll(source, identity, { database, seal, print }))
    }
    const note = earlier ?? (await earlierImport(database.query, identity))
    if (words.logsSince !== null && note) await importLogs(source, note, { database, since: words.logsSince, print })
    return code
  } finally {
    await database.close()
  }
}

/** Tables whose ids are kept, which must be free. */
const tables = ['users', 'tokens', 'channels', 'redemption_codes'] as const

/**
 * Resolves with the import that this gateway has of this source; null where it is empty.
 * @throws ImportError where it has something else: ids of the source would be taken.
 */
async function earlierImport(query: Queries, identity: string): Promise<ImportNote | null> {
  const note = await readImport(query)
  if (note?.source === identity) return note
  if (note) throw new ImportError(`This gateway was imported from another site (${note.product}). Name an empty one.`)
  for (const table of tables) {
    const row = await query.selectFrom(table).select('id').limit(1).executeTakeFirst()
    if (row)
      throw new ImportError(
        `This gateway has ${table.replace('_', ' ')} already, whose ids are those of others in the source. Import into an empty one, before it is set up: the super admin of the source becomes its own.`,
      )
  }
  return null
}

/** @throws CommandError where the key is not the one that the database's secrets are sealed with. */
async function sealOf(config: Config, folder: { readonly path: string }, database: Database): Promise<Seal> {
  const seal = createSeal(secretKeyOf(folder, config.secretKey), otherKeyOf(folder, config.previousSecretKey))
  const problem = await createSecretsCheck({ database, seal }).problem()
  if (problem !== null) throw new CommandError(problem)
  return seal
}

interface Target extends Pick<CommandWorld, 'print'> {
  readonly database: Database
  readonly seal: Seal
}

/** Resolves with the exit code: whether sums are equal. */
async function importAll(source: SiteSource, identity: string, { database, seal, print }: Target): Promise<number> {
  const report = new Report()
  const imported = await database.longRunning.transaction().execute(async (transaction) => {
    const at = systemClock.seconds()
    const done = await importSite(source, identity, { database, transaction, seal, random: systemRandom, at, report })
    await auditCommand(transaction, { action: 'system.import', after: { product: source.product, ...done.target } })
    return done
  })
  const { lines, isEqual } = report.compare(imported.source, imported.target)
  for (const line of report.lines()) print(line)
  const left = await source.leftBehind()
  for (const line of left.length === 0 ? [] : ['Stays in the source:', ...left.map((sentence) => `  ${sentence}`)])
    print(line)
  for (const line of lines) print(line)
  return isEqual ? 0 : 1
}

interface LogTarget extends Pick<CommandWorld, 'print'> {
  readonly database: Database
  readonly since: number
}

const rowsBetweenLines = 100_000

async function importLogs(source: SiteSource, note: ImportNote, { database, since, print }: LogTarget): Promise<void> {
  let printed = 0
  const onHour = (hour: number, rows: number) => {
    if (rows - printed < rowsBetweenLines) return
    printed = rows
    print(`Log: ${rows} rows, back to ${new Date(hour * 1000).toISOString()}`)
  }
  const count = await writeLogs({ source, database, note, since, onHour })
  print(`Log: ${count} rows imported.`)
}

/** What an import was asked to do. */
interface ImportWords {
  readonly source: string
  /** The database of LiteLLM’s virtual keys; empty: the one that its file names, if any. */
  readonly database: string
  readonly isWriting: boolean
  /** The earliest moment of log rows, in Unix seconds; null: none are imported. */
  readonly logsSince: number | null
}

/** Reads the words after `tollgate import`. @throws UsageError. */
function importWords(parameters: readonly string[]): ImportWords {
  const names: string[] = []
  let isWriting = false
  let logsSince: number | null = null
  for (let index = 0; index < parameters.length; index += 1) {
    const word = parameters[index] ?? ''
    if (word === '--write') isWriting = true
    else if (word === '--logs') logsSince ??= 0
    else if (word === '--logs-since') logsSince = momentOf(parameters[(index += 1)])
    else if (word.startsWith('--')) throw new UsageError(`import does not take ${word}.`)
    else names.push(word)
  }
  const [source, database = '', ...rest] = names
  if (source === undefined || rest.length > 0)
    throw new UsageError('import takes a source, and for LiteLLM its database.')
  return { source, database, isWriting, logsSince }
}

function momentOf(text = ''): number {
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) throw new UsageError('--logs-since takes a date, as 2026-01-31.')
  return Math.floor(ms / 1000)
}
