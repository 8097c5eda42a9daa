import { sql } from 'kysely'

import type { DatabaseKind, Transaction } from '../../platform/store/database'

/** An arbitrary number that no other lock uses. */
const lockNumber = 7_065_002

/** Keeps other transactions from moving measures into packs until this one ends. */
export async function keepOtherMeasureFoldsOut(transaction: Transaction, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(lockNumber)})`.execute(transaction)
}
