import { registerNewcomer } from '../users/newcomers'
import type { Queries, Transaction } from '../../platform/store/database'

export const identityProviders = ['github', 'oidc', 'wechat', 'telegram', 'linuxdo'] as const
export type IdentityProvider = (typeof identityProviders)[number]

/** The member of a user that has the account's id at a provider. */
const members = {
  github: 'github_id',
  oidc: 'oidc_id',
  wechat: 'wechat_id',
  telegram: 'telegram_id',
  linuxdo: 'linux_do_id',
} as const satisfies Readonly<Record<IdentityProvider, string>>

/** An account at a provider, by the id that the provider never reassigns. */
export interface Identity {
  readonly provider: IdentityProvider
  readonly subject: string
}

type IdentityColumns = Record<(typeof members)[IdentityProvider], string>

const isProvider = (name: string): name is IdentityProvider => Object.hasOwn(members, name)

/** Resolves with a lookup of each user's identity members as the wire has them; empty where there is no account. */
export async function identityColumns(
  query: Queries,
  userIds: readonly number[],
): Promise<(userId: number) => IdentityColumns> {
  const rows =
    userIds.length === 0
      ? []
      : await query.selectFrom('identities').selectAll().where('user_id', 'in', userIds).execute()
  return (userId) => {
    const columns = { github_id: '', oidc_id: '', wechat_id: '', telegram_id: '', linux_do_id: '' }
    for (const { provider, subject, user_id: owner } of rows) {
      if (owner === userId && isProvider(provider)) columns[members[provider]] = subject
    }
    return columns
  }
}

/** Resolves with the owner of an identity, which may be a closed account: it keeps its identities. */
export const identityOwner = (query: Queries | Transaction, { provider, subject }: Identity) =>
  query
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .select(['users.id', 'users.username', 'users.role', 'users.grants', 'users.status', 'users.deleted_at'])
    .where('identities.provider', '=', provider)
    .where('identities.subject', '=', subject)
    .executeTakeFirst()

/**
 * Gives an identity to a user within the transaction. Resolves with false if it has an owner, or the user has another identity at the
 * provider.
 * @throws Error if the subject is empty: every user would share that identity.
 */
export async function claimIdentity(
  { provider, subject }: Identity,
  { userId, createdAt }: { readonly userId: number; readonly createdAt: number },
  transaction: Transaction,
): Promise<boolean> {
  if (subject.trim() === '') throw new Error(`An account at ${provider} without an id`)
  const claimed = await transaction
    .insertInto('identities')
    .values({ provider, subject, user_id: userId, created_at: createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return claimed !== undefined
}

/** Resolves with the providers at which a user has a linked account. */
export async function identityProvidersOf(
  query: Queries | Transaction,
  userId: number,
): Promise<readonly IdentityProvider[]> {
  const rows = await query.selectFrom('identities').select('provider').where('user_id', '=', userId).execute()
  return rows.map(({ provider }) => provider).filter(isProvider)
}

/** Removes an identity from a user within the transaction. Resolves with its subject, or with null if there was none. */
export async function releaseIdentity(
  provider: IdentityProvider,
  userId: number,
  transaction: Transaction,
): Promise<string | null> {
  const released = await transaction
    .deleteFrom('identities')
    .where('provider', '=', provider)
    .where('user_id', '=', userId)
    .returning(['subject', 'created_at'])
    .executeTakeFirst()
  if (!released) return null
  const { subject, created_at: createdAt } = released
  // It may be older than the register.
  await registerNewcomer({ identity: { provider, subject } }, createdAt, transaction)
  return subject
}
