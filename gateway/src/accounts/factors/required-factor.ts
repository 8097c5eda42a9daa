import { role, type OptionValues } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Queries, Transaction } from '../../platform/store/database'

/** The lowest role that each value of the option covers. */
const lowestRoles: Readonly<Record<OptionValues['SecondFactorRequired'], number>> = {
  nobody: Number.POSITIVE_INFINITY,
  root: role.root,
  admins: role.admin,
  everyone: role.user,
}

export const isFactorRequired = (userRole: number, { SecondFactorRequired: requiredFor }: OptionValues): boolean =>
  userRole >= lowestRoles[requiredFor]

/** Resolves with whether a user has a second factor; called for each request of users who must have one. */
export async function ownsFactor(query: Queries | Transaction, userId: number): Promise<boolean> {
  const totp = await query.selectFrom('totp_factors').select('user_id').where('user_id', '=', userId).executeTakeFirst()
  if (totp) return true
  const passkey = await query.selectFrom('passkeys').select('user_id').where('user_id', '=', userId).executeTakeFirst()
  return passkey !== undefined
}

/** Resolves with whether the site requires a second factor of this user, who has none. */
export const lacksFactor = async (
  { catalog, database }: Pick<Context, 'catalog' | 'database'>,
  user: { readonly id: number; readonly role: number },
): Promise<boolean> =>
  isFactorRequired(user.role, catalog.current.options) && !(await ownsFactor(database.query, user.id))
