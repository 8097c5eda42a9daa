import { sql, type Kysely } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration'

import type { Database, DatabaseKind } from './database'
import { foundation } from './migrations/0001-foundation'
import { logRequestId } from './migrations/0002-log-request-id'
import { logSearch } from './migrations/0003-log-search'
import { logTexts } from './migrations/0004-log-texts'
import { usageSums } from './migrations/0005-usage-sums'
import { usagePairs } from './migrations/0006-usage-pairs'
import { longerSums } from './migrations/0007-longer-sums'
import { usagePacks } from './migrations/0008-usage-packs'

/** A step of the schema. Steps expand first and contract in a later release, so old and new versions run side by side. */
export interface NumberedMigration {
  readonly name: string
  up(db: Kysely<unknown>, kind: DatabaseKind): Promise<void>
}

const migrations: readonly NumberedMigration[] = [
  foundation,
  logRequestId,
  logSearch,
  logTexts,
  usageSums,
  usagePairs,
  longerSums,
  usagePacks,
]

/** Bring the schema up to date, under a lock on PostgreSQL; on SQLite the folder's lock keeps others away. */
export async function migrate(database: Database): Promise<void> {
  const { error } = await migratorOf(database).migrateToLatest()
  if (error) throw new Error('The database could not be brought up to date', { cause: error })
}

export interface SchemaState {
  /** No step was made yet, so there are no tables. */
  readonly isEmpty: boolean
  /** Steps that the next start will make. */
  readonly missing: readonly string[]
  /** Steps that a later release made and this one does not know. */
  readonly unknown: readonly string[]
}

/** How far the schema is, changing nothing. */
export async function schemaState(database: Database): Promise<SchemaState> {
  const steps = await migratorOf(database).getMigrations()
  const missing = steps.filter(({ executedAt }) => !executedAt).map(({ name }) => name)
  if (missing.length === steps.length) return { isEmpty: true, missing, unknown: [] }
  const made = await sql<{
    name: string
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(database.query)
  const known = new Set(steps.map(({ name }) => name))
  return { isEmpty: false, missing, unknown: made.rows.map(({ name }) => name).filter((name) => !known.has(name)) }
}

/** Makes the steps, also one at a time. */
export const migratorOf = (database: Database) =>
  new Migrator({
    db: database.patient,
    provider: {
      getMigrations: () =>
        Promise.resolve(Object.fromEntries(migrations.map((step) => [step.name, asKysely(step, database.kind)]))),
    },
  })

const asKysely = (step: NumberedMigration, kind: DatabaseKind): Migration => ({
  up: (db: Kysely<unknown>) => step.up(db, kind),
})
