import { identityProvidersOf } from '../accounts/identities/identities'
import { providerSwitches } from '../accounts/identities/provider-switches'
import { AppError } from '../app-error'
import type { Context } from '../context'
import { isMailSetUp } from '../mail/smtp'
import type { Transaction } from '../store/database'

/**
 * Call after a way to sign in was removed, in its transaction. The owner's row is locked, so that of two ways removed at once the second
 * sees that the first is gone.
 * @throws AppError `oauth.last` if the account cannot be signed in to any more, as the site is set up now.
 */
export async function refuseLastWayIn(
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
  // A mail address leads to a new password.
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
