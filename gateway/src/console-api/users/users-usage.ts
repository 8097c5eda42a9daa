import { userRoutes, type UserId } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
import { lastDays } from '../../billing/analytics/hours'
import { readSumProgress } from '../../billing/analytics/sum-progress'
import { noFigures, sumsByKey } from '../../billing/analytics/query'
import { readableUsers } from '../../accounts/users/known-users'
import { seenAt } from './sort-users'

/**
 * Resolves with what the given users used in the last `usageDays` days, read from the usage sums, and when they were seen last. Users out of
 * the caller's reach are left out.
 */
export async function usersUsage(
  ids: readonly UserId[],
  ctx: Context,
  caller: Caller,
): Promise<userRoutes.UserUsage[]> {
  if (ids.length === 0) return []
  const { query } = ctx.database
  const isReadable = await readableUsers(ctx, caller, {})
  const readable = await query
    .selectFrom('users')
    .select(['id', seenAt.as('seen_at')])
    .where((eb) => eb.and([eb('id', 'in', [...ids]), isReadable(eb)]))
    .execute()
  const asked = {
    filter: {},
    hours: lastDays(userRoutes.usageDays, ctx.clock.now()),
    column: 'user_id',
    keys: readable.map(({ id }) => id),
  } as const
  const totals = await sumsByKey(await readSumProgress(query), asked)
  return readable.map(({ id, seen_at }) => {
    const { count, prompt_tokens: prompt, completion_tokens: completion, quota } = totals.get(String(id)) ?? noFigures
    return { id, calls: count, tokens: prompt + completion, quota, seen_at }
  })
}
