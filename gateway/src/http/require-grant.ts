import { holdsAny, type Grant } from '@tollgate/contract'

import { AppError } from '../app-error'
import type { Caller } from './handler'

/**
 * Refuses whoever has none of the grants. Guards ask it what the route declares, handlers what the input asks for besides.
 * @throws AppError `auth.forbidden`.
 */
export function requireGrant({ grants }: Pick<Caller, 'grants'>, wanted: Grant | readonly Grant[]): void {
  if (!holdsAny(grants, wanted)) throw new AppError('auth.forbidden')
}
