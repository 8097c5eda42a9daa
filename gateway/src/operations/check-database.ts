import { existsSync, statSync } from 'node:fs'

import { formatBytes } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Config } from '../platform/config/config'
import type { pathsIn } from '../platform/store/data-folder'
import { openSqlite, type Database } from '../platform/store/database'
import { openPostgres } from '../platform/store/postgres'
import { isTooOld, lastEarlierBuild } from '../platform/store/earlier-builds'
import { incompatible, isOneWay, schemaState } from '../platform/store/migrate'
import { fail, ok, sentence, warn, type Finding } from './finding'
import { messageOf } from '../platform/text/message-of'

type Paths = ReturnType<typeof pathsIn>

/** The database, when there is one that can be examined further. */
export interface Examined {
  readonly findings: readonly Finding[]
  readonly database: Database | null
  /** `unknown`: it does not respond, is damaged, of a later release, or of a build too early to go on from. */
  readonly tables: 'there' | 'none' | 'unknown'
}

const subject = 'database'

/** Checks that it can be reached and read, and that its schema is one that this release knows. */
export async function examineDatabase(config: Config, paths: Paths): Promise<Examined> {
  if (!config.databaseUrl && !existsSync(paths.sqlitePath)) {
    const finding = ok(subject, sentence('database.missing', { path: paths.sqlitePath }))
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
    const text = sentence('database.unreadable', { path: paths.sqlitePath, reason: messageOf(error) })
    return fail(subject, text, sentence('database.restore.advice'))
  }
  // never the URL itself: it contains the password
  const { host } = new URL(config.databaseUrl)
  return fail(
    subject,
    sentence('postgres.silent', { host, reason: messageOf(error) }),
    sentence('postgres.silent.advice'),
  )
}

/** The oldest release that is still maintained. */
const oldestPostgres = 15

async function checkServer({ query }: Database): Promise<Finding> {
  const { rows } = await sql<{ version: number }>`select
    cast(current_setting('server_version_num') as integer) as version`.execute(query)
  const version = Math.floor((rows[0]?.version ?? 0) / 10_000)
  if (version >= oldestPostgres) return ok(subject, sentence('postgres.version', { version }))
  return warn(subject, sentence('postgres.old', { version, oldest: oldestPostgres }), sentence('postgres.old.advice'))
}

/** Reading every page of a larger file would disturb the gateway's own reads. */
const maxCheckedBytes = 1024 ** 3

async function checkFile({ query }: Database, { sqlitePath }: Paths): Promise<Finding> {
  const bytes = statSync(sqlitePath).size
  const size = formatBytes(bytes)
  if (bytes > maxCheckedBytes) return ok(subject, sentence('database.large', { size }))
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(query)
  const result = rows[0]?.quick_check ?? 'no answer'
  if (result === 'ok') return ok(subject, sentence('database.whole', { size }))
  return fail(subject, sentence('database.damaged', { size, result }), sentence('database.restore.advice'))
}

async function checkSchema(database: Database): Promise<{ finding: Finding; tables: Examined['tables'] }> {
  const state = await schemaState(database)
  const { isEmpty, missing, unknown } = state
  const schema = 'schema'
  if (isTooOld(state)) {
    const finding = fail(
      schema,
      sentence('schema.too-old'),
      sentence('schema.too-old.advice', { build: lastEarlierBuild }),
    )
    return { finding, tables: 'unknown' }
  }
  const tooNew = incompatible(unknown)
  if (tooNew.length > 0) {
    const finding = fail(
      schema,
      sentence('schema.later', { steps: tooNew.join(', ') }),
      sentence('schema.later.advice'),
    )
    return { finding, tables: 'unknown' }
  }
  if (unknown.length > 0 && missing.length === 0) {
    return { finding: ok(schema, sentence('schema.added', { steps: unknown.join(', ') })), tables: 'there' }
  }
  const tables = isEmpty ? 'none' : 'there'
  if (missing.length === 0) return { finding: ok(schema, sentence('schema.current')), tables }
  const text = sentence('schema.missing', { steps: missing.join(', ') })
  const advice = sentence(isOneWay(state) ? 'schema.one-way.advice' : 'schema.missing.advice')
  return { finding: warn(schema, text, advice), tables }
}

const noticeableMs = 2000
const harmfulMs = 30_000

/** Machines take turns by the clock, and logs are read by it. */
export async function checkClock(config: Config, database: Database | null, now: () => number): Promise<Finding> {
  const time = new Date(now()).toISOString()
  if (!config.databaseUrl) return ok('clock', sentence('clock.same', { time }))
  if (!database) return warn('clock', sentence('clock.alone', { time }), sentence('unchecked.advice'))
  const before = now()
  const { rows } = await sql<{ at: number }>`select extract(epoch from clock_timestamp()) * 1000 as at`.execute(
    database.query,
  )
  const after = now()
  const apart = Math.round((before + after) / 2 - (rows[0]?.at ?? 0))
  const text = sentence(apart < 0 ? 'clock.behind' : 'clock.ahead', { ms: Math.abs(apart) })
  const advice = sentence('clock.advice')
  if (Math.abs(apart) > harmfulMs) return fail('clock', text, advice)
  return Math.abs(apart) > noticeableMs ? warn('clock', text, advice) : ok('clock', text)
}
