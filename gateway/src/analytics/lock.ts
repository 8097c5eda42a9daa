import { sql } from 'kysely'

import type { DatabaseKind, Transaction } from '../store/database'

/** Any number that nothing else locks by. */
const lockNumber = 7_065_001
const measuresLockNumber = 7_065_002

/** Until this transaction ends, none that called `keepFoldsOut` runs. SQLite has one writer at a time anyway. */
export async function keepChargesOut(transaction: Transaction, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(lockNumber)})`.execute(transaction)
}

/**
 * Until this transaction ends, no hour is added to the sums. Must come before the hourly sums are written: whatever is
 * asked afterwards sees how far the sums have come.
 */
export async function keepFoldsOut(transaction: Transaction, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock_shared(${sql.lit(lockNumber)})`.execute(transaction)
}

/** Until this transaction ends, no other moves measures into packs. */
export async function keepOtherMeasureFoldsOut(transaction: Transaction, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(measuresLockNumber)})`.execute(transaction)
}
