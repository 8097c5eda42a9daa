import { grantsOf, heldStanding, type Standing } from '@tollgate/contract'

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
