import { sql } from 'kysely'

import type { DatabaseKind, Transaction } from '../store/database'

/** Any number that nothing else locks by. */
const lockNumber = 7_065_002

/** Until this transaction ends, no other moves measures into packs. */
export async function keepOtherMeasureFoldsOut(transaction: Transaction, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(lockNumber)})`.execute(transaction)
}
