import { grantsOf, rankOf, type Grant } from '@tollgate/contract'

/** What an account may do, and who may touch it. */
export interface Standing {
  readonly grants: ReadonlySet<Grant>
  readonly rank: number
}

/** The columns it is made of. */
export interface StoredStanding {
  readonly role: number
  /** Null: what the role does. */
  readonly grants: string | null
}

export function standingOf({ role: userRole, grants: stored }: StoredStanding): Standing {
  const held = grantsOf(userRole, storedGrants(stored))
  return { grants: new Set(held), rank: rankOf(userRole, held) }
}

export const storedGrants = (stored: string | null): readonly string[] | null =>
  stored === null ? null : stored.split(',').filter((name) => name !== '')
