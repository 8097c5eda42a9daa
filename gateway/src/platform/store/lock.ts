import { sql } from 'kysely'

import type { Clock } from '../time/clock'
import type { Database, DatabaseKind, Queries, Transaction } from './database'

export interface Lock {
  /** Takes it, or renews it when it is held already. False: another holder has it. */
  acquire(): Promise<boolean>
  /** Releases it if it is held. */
  release(): Promise<void>
}

export interface LockOptions {
  database: Database
  clock: Clock
  name: string
  /** Unique among all that may want it. */
  holder: string
  /** Seconds until it expires unless it is acquired again. */
  seconds: number
}

/** Creates a lock that has one holder at a time across all nodes, and that outlives a crash by no more than its time. */
export function createLock({ database, clock, name, holder, seconds }: LockOptions): Lock {
  return {
    async acquire() {
      const now = clock.seconds()
      const row = await database.query
        .insertInto('locks')
        .values({ name, holder, expires_at: now + seconds })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ holder, expires_at: now + seconds })
            .where((eb) => eb.or([eb('locks.holder', '=', holder), eb('locks.expires_at', '<=', now)])),
        )
        .returning('holder')
        .executeTakeFirst()
      return row?.holder === holder
    },
    async release() {
      await database.query.deleteFrom('locks').where('name', '=', name).where('holder', '=', holder).execute()
    },
  }
}

/** Releases the locks of holders that have died, which would otherwise last until they expire. */
export async function releaseLocksOf(query: Queries, holders: readonly string[]): Promise<void> {
  if (holders.length > 0) await query.deleteFrom('locks').where('holder', 'in', holders).execute()
}

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
