import { sql, type Kysely } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration'

import { StartError } from '../config/start-error'
import { version } from '../config/version'
import type { Database, DatabaseKind } from './database'
import { isTooOld, tooOldSentence } from './earlier-builds'
import { schema } from './migrations/0061-schema'
import { journalLines } from './migrations/0062-journal-lines'
import { promotions } from './migrations/0063-promotions'
import { windows } from './migrations/0064-windows'
import { plans } from './migrations/0065-plans'
import { windowPeriods } from './migrations/0066-window-periods'
import { earnings } from './migrations/0068-earnings'
import { responseCache } from './migrations/0070-response-cache'
import { turns } from './migrations/0071-turns'
import { filesAndBatches } from './migrations/0072-files-and-batches'
import { appliedObjects } from './migrations/0074-applied-objects'
import { logByMonth } from './migrations/0077-log-by-month'
import { turnItems } from './migrations/0078-turn-items'
import { namedDraws } from './migrations/0079-named-draws'
import type { NumberedMigration } from './migration'

const migrations: readonly NumberedMigration[] = [
  schema,
  journalLines,
  promotions,
  windows,
  plans,
  windowPeriods,
  earnings,
  responseCache,
  turns,
  filesAndBatches,
  appliedObjects,
  logByMonth,
  turnItems,
  namedDraws,
]

/**
 * Brings the schema up to date, under a lock on PostgreSQL; on SQLite the folder's lock keeps others away. Steps of a later release are
 * left as they are where this one can work with them.
 * @throws StartError when it cannot, when a move into it has not ended, or when the database user may not change the schema.
 */
export async function migrate(database: Database): Promise<void> {
  if (await isMoving(database))
    throw new StartError(
      'A move into this database was interrupted and not all of it is here: repeat `tollgate move`, or name another database.',
    )
  for (let triesLeft = 3; ; triesLeft -= 1) {
    const state = await schemaState(database)
    checkCompatible(state)
    const { error } = await migratorOf(database, foreignSteps(state)).migrateToLatest()
    if (!error) return
    if (triesLeft === 0 || !(await isOvertaken(database, state))) throw schemaFailure(error)
  }
}

/** Steps that are made already and only have to be known by name. */
const foreignSteps = ({ earlier, unknown }: SchemaState): string[] => [...earlier, ...unknown]

/** Returns whether another node changed the list of steps in between: a later release, or this one on a database of an earlier build. */
const isOvertaken = (database: Database, before: SchemaState): Promise<boolean> =>
  schemaState(database).then(
    (now) => foreignSteps(now).join() !== foreignSteps(before).join(),
    () => false,
  )

const numberOf = (name: string): number => Number(name.slice(0, 4))

/**
 * Returns the oldest step that a release must know to work with a later step of this name. Steps only add, so any release can work with
 * them. One that removes something has in its name the earlier step that stopped its use: a release that knows `0070` misses nothing after
 * `0072-drop-old-column.needs-0070`.
 */
const neededBy = (name: string): number => Number(/\.needs-(\d{4})$/.exec(name)?.[1] ?? 0)

/** Returns the steps of a later release that this one cannot work with. */
export const incompatible = (unknown: readonly string[]): string[] =>
  unknown.filter((name) => neededBy(name) > latestKnown)

/** Returns whether the release that made the latest step can no longer start once the missing ones are made, as one removes what it uses. */
export const isOneWay = ({ isEmpty, latest, missing }: SchemaState): boolean =>
  !isEmpty && missing.some((name) => neededBy(name) > latest)

/** The number of the latest step; there may be gaps. */
const latestKnown = Math.max(...migrations.map(({ name }) => numberOf(name)))

function checkCompatible(state: SchemaState): void {
  if (isTooOld(state)) throw new StartError(tooOldSentence)
  const steps = incompatible(state.unknown)
  if (steps.length === 0) return
  throw new StartError(
    `The database belongs to a later release of Tollgate, and this one, ${version}, cannot work with it any more (${steps.join(', ')}). Nothing is damaged: start the later release, or restore the backup made before the update.`,
  )
}

function schemaFailure(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reason = error instanceof Error ? error.message : String(error)
  if (code === insufficientPrivilege) {
    return new StartError(
      `The user of DATABASE_URL may not change the schema: ${reason}. Make it the owner of the database, or grant it create on the schema.`,
      { cause: error },
    )
  }
  return new Error('The database could not be brought up to date', { cause: error })
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const insufficientPrivilege = '42501'

export interface SchemaState {
  /** No step was made yet, so there are no tables. */
  readonly isEmpty: boolean
  /** The number of the latest step that was made; 0: none. */
  readonly latest: number
  /** Steps that the next start will make. */
  readonly missing: readonly string[]
  /** Steps that a later release made and this one does not know. */
  readonly unknown: readonly string[]
  /** Steps of builds before the first release; none once a release has started. */
  readonly earlier: readonly string[]
}

/** Resolves with the state of the schema; read-only. */
export async function schemaState(database: Pick<Database, 'kind' | 'query'>): Promise<SchemaState> {
  const applied = await readAppliedSteps(database)
  const known = migrations.map(({ name }) => name)
  const isEarlier = (name: string) => numberOf(name) < numberOf(schema.name)
  return {
    isEmpty: applied.length === 0,
    latest: Math.max(0, ...applied.map(numberOf)),
    missing: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name) && !isEarlier(name)),
    earlier: applied.filter(isEarlier),
  }
}

/** Name of the table in which a move into a database marks how far it has come. */
export const moveMarks = 'move_marks'

/** Returns whether a move into a database has begun and not ended. */
export const isMoving = (database: Pick<Database, 'kind' | 'query'>): Promise<boolean> => hasTable(database, moveMarks)

async function hasTable({ query, kind }: Pick<Database, 'kind' | 'query'>, table: string): Promise<boolean> {
  const found =
    kind === 'postgres'
      ? sql<{ name: string | null }>`select cast(to_regclass(${table}) as text) as name`
      : sql<{ name: string | null }>`select name from sqlite_master where name = ${table}`
  const { rows } = await found.execute(query)
  return Boolean(rows[0]?.name)
}

async function readAppliedSteps(database: Pick<Database, 'kind' | 'query'>): Promise<readonly string[]> {
  if (!(await hasTable(database, DEFAULT_MIGRATION_TABLE))) return []
  const steps = sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`
  return (await steps.execute(database.query)).rows.map(({ name }) => name)
}

/** Makes the steps, or a single one. */
export const migratorOf = (database: Database, foreign: readonly string[] = []) =>
  new Migrator({
    db: database.longRunning,
    provider: {
      getMigrations: () =>
        Promise.resolve({
          ...Object.fromEntries(migrations.map((step) => [step.name, asKysely(step, database.kind)])),
          ...Object.fromEntries(foreign.map((name) => [name, { up: () => Promise.resolve() }])),
        }),
    },
  })

const asKysely = (step: NumberedMigration, kind: DatabaseKind): Migration => ({
  up: (db: Kysely<unknown>) => step.up(db, kind),
})
