import { role, type messageRoutes, type RouteSent } from '@tollgate/contract'

import type { AudienceKind, MessageValues, RoleName } from './message-values'

/** Ways to choose who gets a message, in the order in which they are offered. */
export const audienceKinds = ['users', 'group', 'role', 'model', 'all'] as const satisfies readonly AudienceKind[]

export const roleNames = ['user', 'admin', 'root'] as const satisfies readonly RoleName[]

/** The name of a role by its number as text; undefined for one that is not known. */
export const roleNameOf = (value: string): RoleName | undefined =>
  roleNames.find((name) => String(role[name]) === value)

type Chosen = Pick<MessageValues, 'kind' | 'group' | 'role' | 'model'>

/** The audience as the call wants it; null while none is chosen, and for users who are chosen one by one. Pure. */
export function audienceOf({ kind, group, role: roleName, model }: Chosen): messageRoutes.MessageAudience | null {
  if (kind === 'all') return { kind }
  if (kind === 'role') return { kind, role: role[roleName] }
  if (kind === 'group') return group === null ? null : { kind, group }
  return kind === 'users' || model === null ? null : { kind, model }
}

/** The same in a query. */
export const audienceQuery = (
  audience: messageRoutes.MessageAudience,
): NonNullable<RouteSent<typeof messageRoutes.countAudience>['query']> => audience
