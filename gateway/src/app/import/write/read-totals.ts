import type { Transaction } from '../../../platform/store/database'
import type { Totals } from '../site-source'

/** Resolves with the figures of this gateway that must be those of the source. */
export async function readTotals(query: Transaction): Promise<Totals> {
  const users = await query
    .selectFrom('users')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number | null>('quota').as('quota'),
      fn.sum<number | null>('used_quota').as('used'),
      fn.sum<number | null>('request_count').as('requests'),
    ])
    .executeTakeFirstOrThrow()
  const keys = await query
    .selectFrom('tokens')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number | null>('remain_quota').as('rest'),
      fn.sum<number | null>('used_quota').as('used'),
    ])
    .executeTakeFirstOrThrow()
  const channels = await query
    .selectFrom('channels')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('used_quota').as('used')])
    .executeTakeFirstOrThrow()
  const codes = await query
    .selectFrom('redemption_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return {
    users: users.count,
    'quota of users': users.quota ?? 0,
    'used quota of users': users.used ?? 0,
    'requests of users': users.requests ?? 0,
    keys: keys.count,
    'rest of keys': keys.rest ?? 0,
    'used quota of keys': keys.used ?? 0,
    channels: channels.count,
    'used quota of channels': channels.used ?? 0,
    'redemption codes': codes.count,
  }
}
