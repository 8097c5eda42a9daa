import { sql } from 'kysely'

import type { Clock } from '../../platform/time/clock'
import type { Database } from '../../platform/store/database'
import { toLimitResult, keyOf, type LimitResult, type Limiter } from './limiter'

/** Counts for all workers of all nodes that use this database. For rare events: each one is a write. */
export function databaseLimiter({ query }: Pick<Database, 'query'>, clock: Pick<Clock, 'seconds'>): Limiter {
  const toResultUntil = (left: number, endsAt: number): LimitResult =>
    toLimitResult(left, (endsAt - clock.seconds()) * 1000)
  return {
    inMemory: null,
    async consume(key, { points, durationSeconds }) {
      const at = clock.seconds()
      const isOver = sql<boolean>`limit_counts.ends_at <= ${at}`
      const counted = await query
        .insertInto('limit_counts')
        .values({ key: keyOf(key, durationSeconds), count: 1, ends_at: at + durationSeconds })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet((eb) => ({
            count: sql`case when ${isOver} then 1 else limit_counts.count + 1 end`,
            ends_at: sql`case when ${isOver} then ${eb.ref('excluded.ends_at')} else limit_counts.ends_at end`,
          })),
        )
        .returning(['count', 'ends_at'])
        .executeTakeFirstOrThrow()
      return toResultUntil(points - counted.count, counted.ends_at)
    },
    async peek(key, { points, durationSeconds }) {
      const open = await query
        .selectFrom('limit_counts')
        .select(['count', 'ends_at'])
        .where('key', '=', keyOf(key, durationSeconds))
        .where('ends_at', '>', clock.seconds())
        .executeTakeFirst()
      return toResultUntil(points - (open?.count ?? 0) - 1, open?.ends_at ?? clock.seconds() + durationSeconds)
    },
    async restore(key, { durationSeconds }) {
      await query
        .updateTable('limit_counts')
        .set((eb) => ({ count: eb('count', '-', 1) }))
        .where('key', '=', keyOf(key, durationSeconds))
        .where('ends_at', '>', clock.seconds())
        .where('count', '>', 0)
        .execute()
    },
    isAlone: false,
    close: async () => {},
  }
}
