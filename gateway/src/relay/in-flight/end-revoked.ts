import { tokenStatus, userStatus } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Change } from '../../platform/store/changes'
import type { RunningAttempts } from '../../channels/calls/running-attempts'

type Deps = Pick<Context, 'changes' | 'database'>

/**
 * Sends the callers away whose user or key is disabled or deleted, from now on: their calls end as if they had left. Every worker learns of
 * such changes within a second.
 */
export function endRevoked({ changes, database }: Deps, upstreams: RunningAttempts): void {
  changes.listen(async (news) => {
    const callers = upstreams.callers()
    if (callers.length === 0) return
    const users = idsOf(news, 'user', new Set(callers.map(({ userId }) => userId)))
    const tokens = idsOf(news, 'token', new Set(callers.map(({ tokenId }) => tokenId)))
    const [mayUsers, mayTokens] = await Promise.all([enabledUsers(database, users), enabledTokens(database, tokens)])
    const revokedUsers = new Set(users.filter((id) => !mayUsers.has(id)))
    const revokedTokens = new Set(tokens.filter((id) => !mayTokens.has(id)))
    if (revokedUsers.size + revokedTokens.size === 0) return
    for (const caller of callers)
      if (revokedUsers.has(caller.userId) || revokedTokens.has(caller.tokenId)) caller.sendAway()
  })
}

/** Returns the ids among those in flight that a change concerns. */
const idsOf = (news: readonly Change[], topic: Change['topic'], calling: ReadonlySet<number>): number[] => [
  ...new Set(news.filter((change) => change.topic === topic && calling.has(change.refId)).map(({ refId }) => refId)),
]

async function enabledUsers({ query }: Deps['database'], ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await query
    .selectFrom('users')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('status', '=', userStatus.enabled)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * Returns which tokens are still enabled. One that is exhausted or expires goes on: its calls in flight were paid for and begun in time.
 */
async function enabledTokens({ query }: Deps['database'], ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await query
    .selectFrom('tokens')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('status', '!=', tokenStatus.disabled)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
