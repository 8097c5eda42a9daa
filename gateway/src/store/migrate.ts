import type { Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'

import type { Database, DatabaseKind } from './database'
import { foundation } from './migrations/0001-foundation'
import { logRequestId } from './migrations/0002-log-request-id'
import { logSearch } from './migrations/0003-log-search'

/** A step of the schema. Steps expand first and contract in a later release, so old and new versions run side by side. */
export interface NumberedMigration {
  readonly name: string
  up(db: Kysely<unknown>, kind: DatabaseKind): Promise<void>
}

const migrations: readonly NumberedMigration[] = [foundation, logRequestId, logSearch]

/** Bring the schema up to date, under a lock on PostgreSQL; on SQLite the folder's lock keeps others away. */
export async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({
    db: database.query,
    provider: {
      getMigrations: () =>
        Promise.resolve(Object.fromEntries(migrations.map((step) => [step.name, asKysely(step, database.kind)]))),
    },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw new Error('The database could not be brought up to date', { cause: error })
}

const asKysely = (step: NumberedMigration, kind: DatabaseKind): Migration => ({
  up: (db: Kysely<unknown>) => step.up(db, kind),
})
