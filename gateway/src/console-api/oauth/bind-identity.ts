import { claimIdentity, identityOwner } from '../../accounts/identities/identities'
import { AppError } from '../../platform/app-error'
import type { Call, Caller } from '../../http/handler'
import { notifyOfIdentityChange } from '../../http/notify-of-account-change'
import type { ExternalAccount } from './external-account'
import { providerError } from './provider-fetch'

type BindingCall = Omit<Call<'optional'>, 'caller'> & { readonly caller: Caller }

/**
 * Links an account at a provider to the caller, who is told by mail. Does nothing if it is already linked to them.
 * @throws AppError `oauth.taken`, `oauth.bound`, `demo.read_only`, and what the account's own check throws.
 */
export async function bindIdentity(account: ExternalAccount, call: BindingCall): Promise<void> {
  const { ctx, audit, caller } = call
  if (ctx.catalog.current.options.DemoSiteEnabled) throw new AppError('demo.read_only')
  const { userId, username } = caller
  const { provider } = account
  account.checkNew?.()
  audit.target('user', userId, username)
  const createdAt = ctx.clock.seconds()
  await ctx.database.query.transaction().execute(async (transaction) => {
    if (await claimIdentity(account, { userId, createdAt }, transaction))
      return notifyOfIdentityChange('identity-linked', provider, call, transaction)
    const owner = await identityOwner(transaction, account)
    if (!owner) throw providerError(ctx, 'oauth.bound', provider)
    if (owner.id !== userId) throw providerError(ctx, 'oauth.taken', provider)
  })
  await ctx.changes.deliver()
  audit.recordChange({}, { [provider]: account.subject })
}
