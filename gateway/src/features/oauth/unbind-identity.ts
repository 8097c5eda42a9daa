import { releaseIdentity, type IdentityProvider } from '../../accounts/identities'
import { AppError } from '../../app-error'
import type { Call } from '../../http/handler'
import { providerError } from './provider-names'

/**
 * Unlinks the caller's account at a provider, which may then be linked to anyone.
 * @throws AppError `oauth.not_bound`; `oauth.last` for an account that has neither a password nor another identity.
 */
export async function unbindIdentity(
  provider: IdentityProvider,
  { ctx, audit, caller }: Call<'user'>,
): Promise<undefined> {
  const { userId, username } = caller
  audit.on('user', userId, username)
  const subject = await ctx.database.query.transaction().execute(async (transaction) => {
    // Locks the owner: of two identities that are unlinked at once, the second sees that the first is gone.
    const { password_hash: passwordHash } = await transaction
      .updateTable('users')
      .set((eb) => ({ status: eb.ref('status') }))
      .where('id', '=', userId)
      .returning('password_hash')
      .executeTakeFirstOrThrow()
    const released = await releaseIdentity(provider, userId, transaction)
    if (!released) throw providerError('oauth.not_bound', provider)
    if (passwordHash === '' && released.left === 0) throw new AppError('oauth.last')
    return released.subject
  })
  audit.changed({ [provider]: subject }, {})
}
