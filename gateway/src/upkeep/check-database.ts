import { existsSync, statSync } from 'node:fs'

import { sql } from 'kysely'

import type { Config } from '../config'
import type { pathsIn } from '../store/data-folder'
import { openSqlite, type Database } from '../store/database'
import { openPostgres } from '../store/postgres'
import { incompatible, schemaState } from '../store/migrate'
import { fail, ok, warn, type Finding } from './finding'
import { reasonOf } from '../reason-of'

type Paths = ReturnType<typeof pathsIn>

/** The database, when there is one that can be asked more. */
export interface Examined {
  readonly findings: readonly Finding[]
  readonly database: Database | null
  /** `unknown`: it does not answer, is damaged, or of a later release. */
  readonly tables: 'there' | 'none' | 'unknown'
}

const subject = 'database'

/** It can be reached and read, and its schema is one that this release knows. */
export async function examineDatabase(config: Config, paths: Paths): Promise<Examined> {
  if (!config.databaseUrl && !existsSync(paths.sqlitePath)) {
    const finding = ok(subject, `SQLite, ${paths.sqlitePath} will be made at the first start`)
    return { findings: [finding], database: null, tables: 'none' }
  }
  let database: Database | null = null
  try {
    database = config.databaseUrl
      ? openPostgres(config.databaseUrl, { connections: 1 })
      : openSqlite(paths.sqlitePath, config.durability)
    const server = database.kind === 'postgres' ? await checkServer(database) : await checkFile(database, paths)
    const { finding, tables } = await checkSchema(database)
    return { findings: [server, finding], database, tables: server.level === 'FAIL' ? 'unknown' : tables }
  } catch (error) {
    await database?.close()
    return { findings: [unreachable(config, paths, error)], database: null, tables: 'unknown' }
  }
}

function unreachable(config: Config, paths: Paths, error: unknown): Finding {
  if (!config.databaseUrl) {
    return fail(
      subject,
      `${paths.sqlitePath} cannot be read: ${reasonOf(error)}`,
      'Restore a backup into a new DATA_DIR',
    )
  }
  // never the URL itself: it holds the password
  const { host } = new URL(config.databaseUrl)
  const text = `PostgreSQL at ${host} does not answer: ${reasonOf(error)}`
  return fail(subject, text, 'See whether it runs, and whether DATABASE_URL is right')
}

/** The oldest release that its makers still repair. */
const oldestPostgres = 15

async function checkServer({ query }: Database): Promise<Finding> {
  const { rows } = await sql<{ version: number }>`select
    cast(current_setting('server_version_num') as integer) as version`.execute(query)
  const major = Math.floor((rows[0]?.version ?? 0) / 10_000)
  if (major >= oldestPostgres) return ok(subject, `PostgreSQL ${major}`)
  return warn(subject, `PostgreSQL ${major} is older than ${oldestPostgres}`, 'Plan to move to a newer one')
}

/** Reading every page of a larger file would disturb the gateway's own reads. */
const largestChecked = 1024 ** 3

async function checkFile({ query }: Database, { sqlitePath }: Paths): Promise<Finding> {
  const { size } = statSync(sqlitePath)
  const text = `SQLite, ${(size / 1e6).toFixed(1)} MB`
  if (size > largestChecked) return ok(subject, `${text}, too large to be checked page by page`)
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(query)
  const result = rows[0]?.quick_check ?? 'no answer'
  if (result === 'ok') return ok(subject, `${text}, whole`)
  return fail(subject, `${text}, is damaged: ${result}`, 'Restore a backup into a new DATA_DIR')
}

async function checkSchema(database: Database): Promise<{ finding: Finding; tables: Examined['tables'] }> {
  const { isEmpty, missing, unknown } = await schemaState(database)
  const schema = 'schema'
  const tooNew = incompatible(unknown)
  if (tooNew.length > 0) {
    const finding = fail(schema, `is of a later release: ${tooNew.join(', ')}`, 'Use that release')
    return { finding, tables: 'unknown' }
  }
  if (unknown.length > 0 && missing.length === 0) {
    const text = `is of a later release, which only added to it: ${unknown.join(', ')}`
    return { finding: ok(schema, text), tables: 'there' }
  }
  const tables = isEmpty ? 'none' : 'there'
  if (missing.length === 0) return { finding: ok(schema, 'up to date'), tables }
  const advice = 'The next start of the gateway makes them'
  return { finding: warn(schema, `these steps are missing: ${missing.join(', ')}`, advice), tables }
}

const noticeableMs = 2000
const harmfulMs = 30_000

/** Machines take turns by the clock, and logs are read by it. */
export async function checkClock(config: Config, database: Database | null, now: () => number): Promise<Finding> {
  const time = new Date(now()).toISOString()
  if (!config.databaseUrl) return ok('clock', `${time}, the database has the same`)
  if (!database) return warn('clock', `${time} was not compared with the database's`, 'See the database first')
  const before = now()
  const { rows } = await sql<{ at: number }>`select extract(epoch from clock_timestamp()) * 1000 as at`.execute(
    database.query,
  )
  const after = now()
  const apart = Math.round((before + after) / 2 - (rows[0]?.at ?? 0))
  const text = `${Math.abs(apart)} ms ${apart < 0 ? 'behind' : 'ahead of'} the database's`
  const advice = 'Let both machines follow the same time server'
  if (Math.abs(apart) > harmfulMs) return fail('clock', text, advice)
  return Math.abs(apart) > noticeableMs ? warn('clock', text, advice) : ok('clock', text)
}
