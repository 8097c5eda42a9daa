import { role, messageRoutes, type RouteSent } from '@tollgate/contract'

import type { AudienceKind, MessageValues, RoleName } from './message-form'
import { useRead } from '../../lib/api/query'

/** Ways to choose recipients, in display order. */
export const audienceKinds = ['users', 'group', 'role', 'model', 'all'] as const satisfies readonly AudienceKind[]

export const roleNames = ['user', 'admin', 'root'] as const satisfies readonly RoleName[]

/** Returns the name of a role by its number; undefined for an unknown one. */
export const roleNameOf = (value: string): RoleName | undefined =>
  roleNames.find((name) => String(role[name]) === value)

type Chosen = Pick<MessageValues, 'kind' | 'group' | 'role' | 'model'>

/** Returns the audience for the call; null while none is chosen, and for single users. Pure. */
export function audienceOf({ kind, group, role: roleName, model }: Chosen): messageRoutes.MessageAudience | null {
  if (kind === 'all') return { kind }
  if (kind === 'role') return { kind, role: role[roleName] }
  if (kind === 'group') return group === null ? null : { kind, group }
  return kind === 'users' || model === null ? null : { kind, model }
}

/** Returns the audience as query parameters. */
const audienceQuery = (
  audience: messageRoutes.MessageAudience,
): NonNullable<RouteSent<typeof messageRoutes.countAudience>['query']> => audience

/** Returns the size of the chosen audience; undefined for single users and without an audience. */
export function useAudienceCount(values: MessageValues) {
  const audience = audienceOf(values)
  const read = useRead(
    messageRoutes.countAudience,
    { query: audience ? audienceQuery(audience) : {} },
    { enabled: audience !== null, staleTime: 0 },
  )
  const isKnown = audience !== null && !read.isPlaceholderData
  return { data: isKnown ? read.data : undefined, error: isKnown ? read.error : null }
}
