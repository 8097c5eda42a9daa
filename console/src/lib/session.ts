import { holdsAny, presetOf, role, type Grant } from '@tollgate/contract'
import * as z from 'zod'

import { stored, useStored } from './storage'

/** Who is signed in, as the sign-in answered. The session itself is a cookie that scripts cannot read. */
const StoredUser = z.object({
  id: z.number().int(),
  username: z.string(),
  display_name: z.string().default(''),
  role: z.number().int(),
  status: z.number().int().default(1),
  group: z.string().default('default'),
})
export type StoredUser = z.output<typeof StoredUser>

export const storedUser = stored<StoredUser | null>('user', StoredUser.nullable(), null)

export interface Viewer {
  readonly user: StoredUser | null
  readonly isAdmin: boolean
  readonly isRoot: boolean
  readonly grants: readonly Grant[]
  /** Whether the viewer has any of these grants. */
  readonly may: (wanted: Grant | readonly Grant[]) => boolean
}

/** The same outside of components. */
export const viewer = (): Viewer => viewerOf(storedUser.get())

/** Whom the page is drawn for. The server decides again on every call. */
export function useViewer(): Viewer {
  const [user] = useStored(storedUser)
  return viewerOf(user)
}

function viewerOf(user: StoredUser | null): Viewer {
  const grants = presetOf(user?.role ?? role.guest)
  return {
    user,
    isAdmin: (user?.role ?? role.guest) >= role.admin,
    isRoot: (user?.role ?? role.guest) >= role.root,
    grants,
    may: (wanted) => holdsAny(grants, wanted),
  }
}
