import { holdsAny, type Grant } from '@tollgate/contract'

import { AppError } from '../platform/app-error'
import type { Caller } from './handler'

/**
 * Refuses a caller who has none of the grants. Guards call it with what the route declares, handlers with what the input requires in
 * addition.
 * @throws AppError `auth.forbidden`.
 */
export function requireGrant({ grants }: Pick<Caller, 'grants'>, required: Grant | readonly Grant[]): void {
  if (!holdsAny(grants, required)) throw new AppError('auth.forbidden')
}
