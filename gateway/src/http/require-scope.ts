import type { OwnScope } from '@tollgate/contract'

import { AppError } from '../platform/app-error'
import type { Caller } from './handler'

type ScopedCaller = Pick<Caller, 'scopes'>

/** Returns whether a caller may do this with their own things: with a session, with an access token that is not narrowed, or by its scope. */
export const hasScope = ({ scopes }: ScopedCaller, scope: OwnScope): boolean => scopes === null || scopes.has(scope)

/** @throws AppError `auth.scope`. */
export function requireScope(caller: ScopedCaller, scope: OwnScope): void {
  if (!hasScope(caller, scope)) throw new AppError('auth.scope', { params: { scope } })
}
