import { role } from './accounts'

/** The properties of a grant, besides its name. */
interface GrantFacts {
  /** A grant without which this one is useless. */
  readonly needs?: string
  /** Cannot be given: reserved to the super admin. */
  readonly isReserved?: true
}

/** Every grant, `resource.action`. Each call of the console API beyond the caller's own things requires one of them. */
export const grantFacts = {
  'channels.read': {},
  'channels.write': { needs: 'channels.read' },
  /** Enter, replace and delete the keys of channels. They cannot be read. */
  'keys.write': { needs: 'channels.write' },
  'prices.read': {},
  /** Prices of models and ratios of groups. */
  'prices.write': { needs: 'prices.read' },
  'users.read': {},
  'users.write': { needs: 'users.read' },
  /** Change what users own, and what is given away: to new users, for invitations and check-ins. */
  'balances.write': { needs: 'users.read' },
  'codes.read': {},
  'codes.write': { needs: 'codes.read' },
  /** Top-ups that were paid online. */
  'orders.read': {},
  /** Complete orders by hand, and refund them. */
  'orders.write': { needs: 'orders.read' },
  'messages.read': {},
  'messages.write': { needs: 'messages.read' },
  /** The usage log and the totals of all users. */
  'logs.read': {},
  'logs.delete': { needs: 'logs.read' },
  /** What calls cost at vendors, and what is left of their sale. */
  'costs.read': { needs: 'logs.read' },
  /** Conversations of users of a lower rank. */
  'chat_content.read': { needs: 'logs.read' },
  'settings.read': {},
  'settings.write': { needs: 'settings.read' },
  /** Settings that contain secrets, run code, move money, or decide who signs in as whom. */
  'settings.secure': { needs: 'settings.write', isReserved: true },
  'audit.read': {},
  /** Appoint administrators, and set the rights of administrators and users. */
  'rights.write': { needs: 'users.read', isReserved: true },
} as const satisfies Readonly<Record<string, GrantFacts>>

export type Grant = keyof typeof grantFacts

export const grants = Object.keys(grantFacts) as readonly Grant[]

const known: ReadonlySet<string> = new Set(grants)
export const isGrant = (name: string): name is Grant => known.has(name)

const factsOf = (grant: Grant): GrantFacts => grantFacts[grant]

/** Grants that a super admin may give. */
export const givableGrants: readonly Grant[] = grants.filter((grant) => !factsOf(grant).isReserved)

/** The grants of the roles unless an account has its own. */
const rolePresets: Readonly<Record<number, readonly Grant[]>> = { [role.admin]: givableGrants, [role.root]: grants }

export const presetOf = (userRole: number): readonly Grant[] => rolePresets[userRole] ?? []

/** Any of these opens the settings pages; each shows what may be read. */
export const settingsReaders = ['settings.read', 'prices.read', 'balances.write'] as const satisfies readonly Grant[]

/** Areas of work that are given to ordinary users, and to administrators instead of everything. */
export const areaPresets = {
  channels: ['channels.read', 'channels.write', 'keys.write', 'prices.read'],
  finance: [
    'prices.read',
    'prices.write',
    'users.read',
    'balances.write',
    'codes.read',
    'codes.write',
    'orders.read',
    'orders.write',
    'logs.read',
    'costs.read',
  ],
  support: ['users.read', 'users.write', 'codes.read', 'orders.read', 'messages.read', 'messages.write', 'logs.read'],
  read_only: [
    'channels.read',
    'prices.read',
    'users.read',
    'codes.read',
    'orders.read',
    'messages.read',
    'logs.read',
    'costs.read',
    'settings.read',
    'audit.read',
  ],
} as const satisfies Readonly<Record<string, readonly Grant[]>>
export type Area = keyof typeof areaPresets

/** Returns the grants with those they need, in the order of the list. */
export function completeGrants(chosen: Iterable<Grant>): readonly Grant[] {
  const held = new Set<string>()
  const add = (grant: Grant) => {
    held.add(grant)
    const { needs } = factsOf(grant)
    if (needs !== undefined && isGrant(needs) && !held.has(needs)) add(needs)
  }
  for (const grant of chosen) add(grant)
  return grants.filter((grant) => held.has(grant))
}

/**
 * Returns the grants of an account. `stored` is what a super admin gave it, null for the grants of its role; it never takes anything from
 * a super admin and never gives what is reserved.
 */
export function grantsOf(userRole: number, stored: readonly string[] | null): readonly Grant[] {
  const preset = presetOf(userRole)
  if (stored === null || userRole >= role.root || userRole < role.user) return preset
  const chosen = new Set(stored)
  return givableGrants.filter((grant) => chosen.has(grant))
}

/** Between users and administrators: users with grants. */
const helperRank = 5

/** Returns the rank: the role, and between users and administrators the users who have any grant. */
export const rankOf = (userRole: number, held: readonly Grant[]): number =>
  userRole === role.user && held.length > 0 ? helperRank : userRole

/** Only a higher rank reaches a lower one; the super admin reaches all. */
export const isWithinReach = (callerRank: number, targetRank: number): boolean =>
  callerRank > targetRank || callerRank >= role.root

/** The grants of an account, and its rank. */
export interface Standing {
  readonly grants: ReadonlySet<Grant>
  readonly rank: number
}

export const heldStanding = (userRole: number, held: readonly Grant[]): Standing => ({
  grants: new Set(held),
  rank: rankOf(userRole, held),
})

/**
 * Returns whether a caller may change an account. Changing it can amount to signing in as it, so it must have a lower rank and no grant
 * that the caller lacks.
 */
export const mayTouch = (caller: Standing, target: Standing): boolean =>
  isWithinReach(caller.rank, target.rank) && [...target.grants].every((grant) => caller.grants.has(grant))

/** Returns whether any of the wanted grants is held. */
export const holdsAny = (held: Iterable<Grant>, requested: Grant | readonly Grant[]): boolean => {
  const all: readonly Grant[] = typeof requested === 'string' ? [requested] : requested
  const own = held instanceof Set ? held : new Set(held)
  return all.some((grant) => own.has(grant))
}
