import { grantsOf, heldStanding, isWithinReach, type Standing } from '@tollgate/contract'

import type { Queries } from '../../platform/store/database'

/** The columns a standing is made of. */
export interface StoredStanding {
  readonly role: number
  /** Null: the grants of the role. */
  readonly grants: string | null
}

export const standingOf = ({ role: userRole, grants: stored }: StoredStanding): Standing =>
  heldStanding(userRole, grantsOf(userRole, storedGrants(stored)))

export const storedGrants = (stored: string | null): readonly string[] | null =>
  stored === null ? null : stored.split(',').filter((name) => name !== '')

/** The reader. */
export interface ContentReader extends Standing {
  readonly userId: number
}

/**
 * Resolves with those of the users whose conversations and results a reader may see: with the grant for them, those of users of lower
 * ranks; always one's own.
 */
export async function readableOwners(
  query: Queries,
  userIds: readonly number[],
  { userId: ownId, grants, rank }: ContentReader,
): Promise<ReadonlySet<number>> {
  const others = [...new Set(userIds)].filter((id) => id !== ownId)
  if (others.length === 0 || !grants.has('chat_content.read')) return new Set([ownId])
  const known = await query.selectFrom('users').select(['id', 'role', 'grants']).where('id', 'in', others).execute()
  const hidden = new Set(known.filter((user) => !isWithinReach(rank, standingOf(user).rank)).map(({ id }) => id))
  return new Set([ownId, ...others.filter((id) => !hidden.has(id))])
}
