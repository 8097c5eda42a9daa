import { tokenStatus, userStatus } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Change } from '../../store/changes'
import type { RunningAttempts } from '../../channels/calls/running-attempts'

type Parts = Pick<Context, 'changes' | 'database'>

/**
 * Ends the calls in flight of a user or key that is disabled or deleted, from now on: what arrived is charged, as for any response that
 * breaks off. Every worker learns of such changes within a second.
 */
export function endRevoked({ changes, database }: Parts, upstreams: RunningAttempts): void {
  changes.listen(async (news) => {
    const owners = upstreams.owners()
    if (owners.length === 0) return
    const users = idsOf(news, 'user', new Set(owners.map(({ userId }) => userId)))
    const tokens = idsOf(news, 'token', new Set(owners.map(({ tokenId }) => tokenId)))
    const [mayUsers, mayTokens] = await Promise.all([enabledUsers(database, users), enabledTokens(database, tokens)])
    const revokedUsers = new Set(users.filter((id) => !mayUsers.has(id)))
    const revokedTokens = new Set(tokens.filter((id) => !mayTokens.has(id)))
    if (revokedUsers.size + revokedTokens.size === 0) return
    upstreams.stopOf(({ userId, tokenId }) => revokedUsers.has(userId) || revokedTokens.has(tokenId), 'revoked')
  })
}

/** Returns the ids among those in flight that a change concerns. */
const idsOf = (news: readonly Change[], topic: Change['topic'], calling: ReadonlySet<number>): number[] => [
  ...new Set(news.filter((change) => change.topic === topic && calling.has(change.refId)).map(({ refId }) => refId)),
]

async function enabledUsers({ query }: Parts['database'], ids: readonly number[]): Promise<ReadonlySet<number>> {
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
async function enabledTokens({ query }: Parts['database'], ids: readonly number[]): Promise<ReadonlySet<number>> {
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
