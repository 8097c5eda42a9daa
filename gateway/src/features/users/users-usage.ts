import { userRoutes, type UserId } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
import { spans } from '../../analytics/dimensions'
import { readSumProgress } from '../../analytics/sum-progress'
import { sumsByKey } from '../../analytics/query'
import { readableUsers } from './known-users'

/**
 * Resolves with what the given users used in the last `usageDays` days, read from the usage sums. Users out of the caller's reach are left
 * out.
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
    .select('id')
    .where((eb) => eb.and([eb('id', 'in', [...ids]), isReadable(eb)]))
    .execute()
  const before = (Math.floor(ctx.clock.now() / 1000 / spans.hour) + 1) * spans.hour
  const hours = { from: before - userRoutes.usageDays * spans.day, before }
  const keys = readable.map(({ id }) => id)
  const totals = await sumsByKey(await readSumProgress(query), { filter: {}, hours, column: 'user_id', keys })
  return [...totals].map(([id, { count, prompt_tokens: prompt, completion_tokens: completion, quota }]) => ({
    id: Number(id),
    calls: count,
    tokens: prompt + completion,
    quota,
  }))
}
