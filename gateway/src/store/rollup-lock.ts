import { sql } from 'kysely'

import type { DatabaseKind, Transaction } from './database'

/** Any number that nothing else locks by. */
const lockNumber = 7_065_001

/** Until this transaction ends, no charge is added to the hourly rollups. SQLite has one writer at a time anyway. */
export async function keepChargesOut(transaction: Transaction, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(lockNumber)})`.execute(transaction)
}

/**
 * Until this transaction ends, no hour is added up. Must be called before the hourly rollups are written, so that the
 * transaction sees every hour that was added up before.
 */
export async function keepSumsOut(transaction: Transaction, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock_shared(${sql.lit(lockNumber)})`.execute(transaction)
}
