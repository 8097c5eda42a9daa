import { role, type FactorKind, type OptionValues } from '@tollgate/contract'

import type { Queries, Transaction } from '../../platform/store/database'
import type { Context } from '../../context'

/** A user's factors, as far as a sign-in needs them. */
export interface HeldFactors {
  readonly totpSince: number | null
  readonly recoveryCodes: number
  readonly passkeys: readonly { readonly id: string; readonly transports: string }[]
}

export async function factorsOf(query: Queries | Transaction, userId: number): Promise<HeldFactors> {
  const totp = await query
    .selectFrom('totp_factors')
    .select('created_at')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const passkeys = await query
    .selectFrom('passkeys')
    .select(['credential_id as id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('credential_id')
    .execute()
  const { count } = await query
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { totpSince: totp?.created_at ?? null, recoveryCodes: count, passkeys }
}

/** Resolves with those of the users who have a second factor. */
export async function ownersOfFactors(query: Queries, userIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (userIds.length === 0) return new Set()
  const owners = await query
    .selectFrom('totp_factors')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .unionAll(query.selectFrom('passkeys').select('user_id').where('user_id', 'in', userIds))
    .execute()
  return new Set(owners.map(({ user_id: id }) => id))
}

/** Returns whether a sign-in requires more than the password. Recovery codes alone do not count. */
export const hasFactor = ({ totpSince, passkeys }: HeldFactors): boolean => totpSince !== null || passkeys.length > 0

/** Returns the kinds of factors that the user has. */
export const kindsOf = (held: HeldFactors): FactorKind[] => [
  ...(held.totpSince === null ? [] : ['totp' as const]),
  ...(held.passkeys.length === 0 ? [] : ['passkey' as const]),
  ...(held.recoveryCodes === 0 || !hasFactor(held) ? [] : ['recovery_code' as const]),
]

/** Removes every second factor of a user, with the recovery codes. Resolves with whether there was any besides codes. */
export async function removeFactors(userId: number, transaction: Transaction): Promise<boolean> {
  const apps = await transaction.deleteFrom('totp_factors').where('user_id', '=', userId).returning('user_id').execute()
  const passkeys = await transaction.deleteFrom('passkeys').where('user_id', '=', userId).returning('user_id').execute()
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  return apps.length + passkeys.length > 0
}

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
