import { identityProvidersOf } from '../../accounts/identities/identities'
import { providerSwitches } from '../../accounts/identities/sign-in-providers'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { isMailSetUp } from '../../messaging/mail/smtp'
import type { Transaction } from '../../platform/store/database'

/**
 * Called after a way to sign in was removed, in its transaction. The owner's row is locked, so that of two removals at once the second
 * sees the first.
 * @throws AppError `oauth.last` if the account could not be signed in to any more, as the site is configured now.
 */
export async function requireOtherSignInMethod(
  { catalog }: Pick<Context, 'catalog'>,
  userId: number,
  transaction: Transaction,
): Promise<void> {
  const { options } = catalog.current
  const owner = await transaction
    .updateTable('users')
    .set((eb) => ({ status: eb.ref('status') }))
    .where('id', '=', userId)
    .returning(['password_hash', 'email'])
    .executeTakeFirstOrThrow()
  // A mail address allows a new password to be set.
  const hasPassword = owner.password_hash !== '' || (Boolean(owner.email) && isMailSetUp(options))
  if (hasPassword && options.PasswordLoginEnabled) return
  const passkey = await transaction
    .selectFrom('passkeys')
    .select('credential_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (passkey) return
  const linked = await identityProvidersOf(transaction, userId)
  if (!linked.some((provider) => options[providerSwitches[provider]])) throw new AppError('oauth.last')
}
