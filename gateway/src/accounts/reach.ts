import { role } from '@tollgate/contract'

/** Only a higher rank touches a lower one; the super admin touches all. */
export const isWithinReach = (callerRank: number, targetRank: number): boolean =>
  callerRank > targetRank || callerRank >= role.root
