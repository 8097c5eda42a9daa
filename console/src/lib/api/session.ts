import { type Grant, holdsAny, isGrant, presetOf, role } from '@tollgate/contract'
import * as z from 'zod'

import { StoredValue, useStored } from '../browser/stored-value'

/** The signed-in user, as the sign-in returned them. The session itself is a cookie that scripts cannot read. */
const StoredUser = z.object({
  id: z.number().int(),
  username: z.string(),
  display_name: z.string().default(''),
  role: z.number().int(),
  status: z.number().int().default(1),
  group: z.string().default('default'),
})
export type StoredUser = z.output<typeof StoredUser>

export const storedUser = new StoredValue<StoredUser | null>('user', StoredUser.nullable(), null)

/** The permissions last reported by the server, and whether the user has plans to choose from or to look at. */
export const storedGrants = new StoredValue(
  'grants',
  z.object({ userId: z.number().int(), grants: z.array(z.string()), hasPlans: z.boolean().default(false) }).nullable(),
  null,
)

export interface Viewer {
  readonly user: StoredUser | null
  readonly isAdmin: boolean
  readonly isRoot: boolean
  readonly grants: readonly Grant[]
  /** Plans are on sale, or the viewer has subscribed to one. */
  readonly hasPlans: boolean
  /** Whether the viewer has any of these grants. */
  readonly may: (required: Grant | readonly Grant[]) => boolean
}

/** The viewer outside of components. */
export const viewer = (): Viewer => viewerOf(storedUser.get(), storedGrants.get())

/** Returns the viewer of the page. The server checks again on every call. */
export function useViewer(): Viewer {
  const [user] = useStored(storedUser)
  const [grants] = useStored(storedGrants)
  return viewerOf(user, grants)
}

function viewerOf(reader: StoredUser | null, known: ReturnType<typeof storedGrants.get>): Viewer {
  const user = reader && viewedUser ? { ...viewedUser, display_name: '', role: role.user, status: 1 } : reader
  const ofRole = user?.role ?? role.guest
  // Until the server has responded, the permissions of the role.
  const grants = user && known?.userId === user.id ? known.grants.filter(isGrant) : presetOf(ofRole)
  return {
    user,
    isAdmin: ofRole >= role.admin,
    isRoot: ofRole >= role.root,
    grants,
    hasPlans: known !== null && known.userId === user?.id && known.hasPlans,
    may: (required) => holdsAny(grants, required),
  }
}

const ViewedUser = z.object({ id: z.number().int(), username: z.string(), group: z.string() })
export type ViewedUser = z.output<typeof ViewedUser>

const viewedUserKey = 'viewed-user'

/**
 * The user whose log and prices this tab shows, as that user sees them; null in any other tab. Read once: it changes only with a reload.
 */
export const viewedUser: ViewedUser | null = readViewedUser()

function readViewedUser(): ViewedUser | null {
  try {
    return ViewedUser.nullable().parse(JSON.parse(sessionStorage.getItem(viewedUserKey) ?? 'null'))
  } catch {
    return null
  }
}

/** Reloads the console as that user sees it. Nothing that was read before stays in memory. */
export function viewAs({ id, username, group }: ViewedUser): void {
  sessionStorage.setItem(viewedUserKey, JSON.stringify({ id, username, group }))
  location.assign('/app/logs/api-usage')
}

/** Returns to the reader's own view. */
export function endViewing(): void {
  sessionStorage.removeItem(viewedUserKey)
  location.assign(`/admin/users?open=${viewedUser?.id ?? ''}`)
}
