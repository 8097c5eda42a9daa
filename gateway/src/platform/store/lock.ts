import type { Clock } from '../time/clock'
import type { Database, Queries } from './database'

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
