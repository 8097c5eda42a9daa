import type { Transaction } from '../../platform/store/database'

/** Removes every second factor of a user, with the recovery codes. Resolves with whether there was any besides codes. */
export async function removeFactors(userId: number, transaction: Transaction): Promise<boolean> {
  const apps = await transaction.deleteFrom('totp_factors').where('user_id', '=', userId).returning('user_id').execute()
  const passkeys = await transaction.deleteFrom('passkeys').where('user_id', '=', userId).returning('user_id').execute()
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  return apps.length + passkeys.length > 0
}
