import { role } from '@tollgate/contract'

/** Only a higher role touches a lower one; the super admin touches all. */
export const isWithinReach = (callerRole: number, targetRole: number): boolean =>
  callerRole > targetRole || callerRole >= role.root
