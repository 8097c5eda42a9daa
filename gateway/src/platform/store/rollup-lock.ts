import { sql } from 'kysely'

import type { DatabaseKind, Transaction } from './database'

/** An arbitrary number that no other lock uses. */
const lockNumber = 7_065_001

/** Keeps charges from being added to the hourly rollups until this transaction ends. SQLite has one writer at a time anyway. */
export async function lockRollups(transaction: Transaction, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(lockNumber)})`.execute(transaction)
}

/**
 * Keeps hours from being added up until this transaction ends. Must be called before the hourly rollups are written, so that the
 * transaction sees every hour that was added up before.
 */
export async function keepSumsOut(transaction: Transaction, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock_shared(${sql.lit(lockNumber)})`.execute(transaction)
}
