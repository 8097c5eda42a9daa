import { sql, type Kysely } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration'

import { StartError } from '../config/start-error'
import { version } from '../config/version'
import type { Database, DatabaseKind } from './database'
import { foundation } from './migrations/0001-foundation'
import { logRequestId } from './migrations/0002-log-request-id'
import { logSearch } from './migrations/0003-log-search'
import { logTexts } from './migrations/0004-log-texts'
import { usageSums } from './migrations/0005-usage-sums'
import { usagePairs } from './migrations/0006-usage-pairs'
import { longerSums } from './migrations/0007-longer-sums'
import { usagePacks } from './migrations/0008-usage-packs'
import { auditLog } from './migrations/0009-audit-log'
import { secretProbes } from './migrations/0010-secret-probes'
import { signInLimits } from './migrations/0011-sign-in-limits'
import { callMeasures } from './migrations/0012-call-measures'
import { tokenRotation } from './migrations/0014-token-rotation'
import { userSearch } from './migrations/0015-user-search'
import { oneTimeFlows } from './migrations/0016-one-time-flows'
import { mails } from './migrations/0017-mails'
import { userGrants } from './migrations/0018-user-grants'
import { auditFilters } from './migrations/0019-audit-filters'
import { invitations } from './migrations/0020-invitations'
import { secondFactors } from './migrations/0021-second-factors'
import { optionChanges } from './migrations/0024-option-changes'
import { notices } from './migrations/0022-notices'
import { auditSearches } from './migrations/0028-audit-searches'
import { priceEntries } from './migrations/0029-price-entries'
import { redemptionCodes } from './migrations/0030-redemption-codes'
import { siteNotes } from './migrations/0031-site-notes'
import { auditByRank } from './migrations/0032-audit-by-rank'
import { priceSync } from './migrations/0033-price-sync'
import { orders } from './migrations/0034-orders'
import { messages } from './migrations/0035-messages'
import { lastIpAndAuditPairs } from './migrations/0036-last-ip-and-audit-pairs'
import { refundsThatFail } from './migrations/0037-refunds-that-fail'
import { hourlyAndDailySums } from './migrations/0038-hourly-and-daily-sums'
import { ordersByTime } from './migrations/0039-orders-by-time'
import { tasks } from './migrations/0040-tasks'
import { realtime } from './migrations/0041-realtime'
import { taskResponses } from './migrations/0042-task-answers'
import { tasksByAction } from './migrations/0043-tasks-by-action'
import { errorRows } from './migrations/0044-error-rows'
import { newcomers } from './migrations/0045-newcomers'
import { operatorEvents } from './migrations/0046-operator-events'
import { grantedQuotaOfKeys } from './migrations/0047-given-to-keys'
import { vendorObjects } from './migrations/0048-vendor-objects'
import { narrowedAccessTokens } from './migrations/0049-narrowed-access-tokens'
import { retention } from './migrations/0050-retention'
import { channelSecrets } from './migrations/0051-channel-secrets'
import { balanceCurrency } from './migrations/0052-balance-currency'
import { repeatedActs } from './migrations/0053-repeated-acts'
import { objectKeys } from './migrations/0054-object-keys'
import { failedTests } from './migrations/0055-failed-tests'
import { billingDocuments } from './migrations/0056-billing-documents'
import { progressOfActs } from './migrations/0057-progress-of-acts'
import { addressesWithoutCredentials } from './migrations/0058-addresses-without-credentials'
import { unusedTables } from './migrations/0059-unused-tables'
import { margins } from './migrations/0060-margins'
import type { NumberedMigration } from './migration'

const migrations: readonly NumberedMigration[] = [
  foundation,
  logRequestId,
  logSearch,
  logTexts,
  usageSums,
  usagePairs,
  longerSums,
  usagePacks,
  auditLog,
  secretProbes,
  signInLimits,
  callMeasures,
  tokenRotation,
  userSearch,
  oneTimeFlows,
  mails,
  userGrants,
  auditFilters,
  invitations,
  secondFactors,
  optionChanges,
  notices,
  auditSearches,
  priceEntries,
  redemptionCodes,
  siteNotes,
  auditByRank,
  priceSync,
  orders,
  messages,
  lastIpAndAuditPairs,
  refundsThatFail,
  hourlyAndDailySums,
  ordersByTime,
  tasks,
  realtime,
  taskResponses,
  tasksByAction,
  errorRows,
  newcomers,
  operatorEvents,
  grantedQuotaOfKeys,
  vendorObjects,
  narrowedAccessTokens,
  retention,
  channelSecrets,
  balanceCurrency,
  repeatedActs,
  objectKeys,
  failedTests,
  billingDocuments,
  progressOfActs,
  addressesWithoutCredentials,
  unusedTables,
  margins,
]

/**
 * Brings the schema up to date, under a lock on PostgreSQL; on SQLite the folder's lock keeps others away. Steps of a later release are
 * left as they are where this one can work with them.
 * @throws StartError when it cannot, or when the database user may not change the schema.
 */
export async function migrate(database: Database): Promise<void> {
  for (let triesLeft = 3; ; triesLeft -= 1) {
    const { isEmpty, unknown } = await schemaState(database)
    const later = isEmpty ? [] : unknown
    checkCompatible(later)
    const { error } = await migratorOf(database, later).migrateToLatest()
    if (!error) return
    if (triesLeft === 0 || !(await isOvertaken(database, later))) throw schemaFailure(error)
  }
}

/** Returns whether a later release running at the same time made a step in between. */
const isOvertaken = (database: Database, later: readonly string[]): Promise<boolean> =>
  schemaState(database).then(
    ({ unknown }) => unknown.length > later.length,
    () => false,
  )

const numberOf = (name: string): number => Number(name.slice(0, 4))

/**
 * Returns the oldest step that a release must know to work with a later step of this name. Steps only add, so any release can work with
 * them. One that removes something has in its name the earlier step that stopped its use: a release that knows `0025` misses nothing after
 * `0030-drop-old-column.needs-0025`.
 */
const neededBy = (name: string): number => Number(/\.needs-(\d{4})$/.exec(name)?.[1] ?? 0)

/** Returns the steps of a later release that this one cannot work with. */
export const incompatible = (unknown: readonly string[]): string[] =>
  unknown.filter((name) => neededBy(name) > latestKnown)

/** The first releases refused every step that they did not know. This was their latest one. */
const lastRefusing = 8

/**
 * Returns whether the release that made the latest step can no longer start once the missing ones are made: it refuses all unknown steps, or
 * one of them removes what it uses.
 */
export const isOneWay = ({ isEmpty, latest, missing }: SchemaState): boolean =>
  !isEmpty && missing.length > 0 && (latest <= lastRefusing || missing.some((name) => neededBy(name) > latest))

/** The number of the latest step; there may be gaps. */
const latestKnown = Math.max(...migrations.map(({ name }) => numberOf(name)))

function checkCompatible(unknown: readonly string[]): void {
  const steps = incompatible(unknown)
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
}

/** Resolves with the state of the schema; read-only. */
export async function schemaState(database: Database): Promise<SchemaState> {
  const appliedSteps = await readAppliedSteps(database)
  const known = new Set(migrations.map(({ name }) => name))
  return {
    isEmpty: appliedSteps.size === 0,
    latest: Math.max(0, ...[...appliedSteps].map(numberOf)),
    missing: [...known].filter((name) => !appliedSteps.has(name)),
    unknown: [...appliedSteps].filter((name) => !known.has(name)),
  }
}

async function readAppliedSteps({ query, kind }: Database): Promise<ReadonlySet<string>> {
  const found =
    kind === 'postgres'
      ? sql<{ name: string | null }>`select cast(to_regclass(${DEFAULT_MIGRATION_TABLE}) as text) as name`
      : sql<{ name: string | null }>`select name from sqlite_master where name = ${DEFAULT_MIGRATION_TABLE}`
  const { rows } = await found.execute(query)
  if (!rows[0]?.name) return new Set()
  const steps = sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`
  return new Set((await steps.execute(query)).rows.map(({ name }) => name))
}

/** Makes the steps, or a single one. Steps of a later release, which are made already, only have to be known by name. */
export const migratorOf = (database: Database, later: readonly string[] = []) =>
  new Migrator({
    db: database.longRunning,
    provider: {
      getMigrations: () =>
        Promise.resolve({
          ...Object.fromEntries(migrations.map((step) => [step.name, asKysely(step, database.kind)])),
          ...Object.fromEntries(later.map((name) => [name, { up: () => Promise.resolve() }])),
        }),
    },
  })

const asKysely = (step: NumberedMigration, kind: DatabaseKind): Migration => ({
  up: (db: Kysely<unknown>) => step.up(db, kind),
})
