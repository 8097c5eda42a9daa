import { releaseIdentity, type IdentityProvider } from '../../accounts/identities/identities'
import type { Call } from '../../http/handler'
import { requireOtherSignInMethod } from '../../http/sign-in/require-other-sign-in-method'
import { notifyOfIdentityChange } from '../../http/notify-of-account-change'
import { providerError } from './provider-error'

/**
 * Unlinks the caller's account at a provider, which may then be linked to anyone. The caller is told by mail.
 * @throws AppError `oauth.not_bound`, `oauth.last`.
 */
export async function unbindIdentity(provider: IdentityProvider, call: Call<'user'>): Promise<undefined> {
  const { ctx, audit, caller } = call
  const { userId, username } = caller
  audit.target('user', userId, username)
  const subject = await ctx.database.query.transaction().execute(async (transaction) => {
    const released = await releaseIdentity(provider, userId, transaction)
    if (released === null) throw providerError(ctx, 'oauth.not_bound', provider)
    await requireOtherSignInMethod(ctx, userId, transaction)
    await notifyOfIdentityChange('identity-unlinked', provider, call, transaction)
    return released
  })
  await ctx.changes.deliver()
  audit.changed({ [provider]: subject }, {})
}
