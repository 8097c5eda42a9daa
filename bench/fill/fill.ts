import { parseArgs } from 'node:util'

import { sql } from 'kysely'

import { openSqlite, type Database } from '../../gateway/src/platform/store/database'
import { openPostgres } from '../../gateway/src/platform/store/postgres'
import { openDataFolder, secretKeyOf } from '../../gateway/src/platform/store/data-folder'
import { migrate } from '../../gateway/src/platform/store/migrate'
import { partitionLog } from '../../gateway/src/operations/retention/log-partitions'
import { createSeal } from '../../gateway/src/platform/store/seal'
import { accounts, acts, channels, counters, logs, measures, rollups, spanSeconds, tokens, type Sizes } from './rows'
import { tasks } from './task-rows'

/**
 * Fill an empty data folder, and an empty PostgreSQL database where one is named, with what a large site has after three months. The super admin
 * is `root` with the password `root-password`.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    'database-url': { type: 'string', default: '' },
    logs: { type: 'string', default: '10000000' },
    users: { type: 'string', default: '100000' },
    tokens: { type: 'string', default: '10000' },
    channels: { type: 'string', default: '2000' },
    models: { type: 'string', default: '500' },
    /** Rows of the audit log. */
    acts: { type: 'string', default: '1000000' },
    tasks: { type: 'string', default: '1000000' },
  },
})

if (!values.data) throw new Error('Name the data folder with --data')
const folder = openDataFolder(values.data)
const sizes: Sizes = {
  logs: Number(values.logs),
  users: Number(values.users),
  tokens: Number(values.tokens),
  channels: Number(values.channels),
  models: Number(values.models),
  acts: Number(values.acts),
  tasks: Number(values.tasks),
  now: Math.floor(Date.now() / 1000),
  passwordHash: await Bun.password.hash('root-password'),
  sealedKey: createSeal(secretKeyOf(folder, '')).seal('sk-upstream'),
}

/** One statement fills a table. */
const responseTimeoutMs = 3_600_000
const databaseUrl = values['database-url'] || process.env['DATABASE_URL']
const database = databaseUrl
  ? openPostgres(databaseUrl, { statementTimeoutMs: responseTimeoutMs })
  : openSqlite(folder.sqlitePath)
await migrate(database)
await partitionLog(database, sizes.now, sizes.now - spanSeconds)
// What is lost in a power cut is filled again.
if (database.kind === 'sqlite')
  for (const pragma of ['synchronous = off', 'cache_size = -1000000']) await run(`pragma ${pragma}`)
const indexes = await dropIndexes(database)
for (const [name, fill] of Object.entries({
  accounts,
  tokens,
  channels,
  logs,
  rollups,
  counters,
  measures,
  acts,
  tasks,
})) {
  const startedAt = performance.now()
  await fill(database, sizes)
  console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}
const indexedAt = performance.now()
for (const text of indexes) await run(text)
console.log(`indexes: ${((performance.now() - indexedAt) / 1000).toFixed(1)} s`)
// SQLite chooses without statistics, as where the gateway runs: it gathers none.
if (database.kind === 'postgres') await run('analyze')
await database.close()

/** Indexes are made anew when all rows are there, which is many times faster. Answers the statements that make them. */
async function dropIndexes({ kind, query }: Database): Promise<string[]> {
  const tables = `('logs', 'audit_log', 'tasks')`
  const { rows } = await sql
    .raw<{ name: string; text: string }>(
      kind === 'sqlite'
        ? `select name, sql as text from sqlite_master where type = 'index' and tbl_name in ${tables} and sql is not null`
        : // Those of a table with partitions would be made for it alone.
          `select indexname as name, replace(indexdef, ' ON ONLY ', ' ON ') as text from pg_indexes
          where tablename in ${tables} and indexname not in (select conname from pg_constraint)`,
    )
    .execute(query)
  for (const { name } of rows) await run(`drop index ${name}`)
  return rows.map(({ text }) => text)
}

async function run(text: string): Promise<void> {
  await sql.raw(text).execute(database.query)
}
