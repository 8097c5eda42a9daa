import { chosenLanguage } from '../accounts/chosen-language'
import { queueMail } from '../mail/queue-mail'
import type { Transaction } from '../store/database'
import type { Call } from './handler'
import { placeOf } from './place-of'

type Notice = 'password-changed' | 'factor-added' | 'factor-removed' | 'recovery-codes-renewed'

/**
 * Has the caller told by mail what was done to the account, if it has an address, in the transaction of what was done. Call
 * `changes.deliver` after the commit.
 */
export async function tellOwner(kind: Notice, call: Call<'user'>, transaction: Transaction): Promise<void> {
  const { ctx, caller, language } = call
  const { email, setting } = await transaction
    .selectFrom('users')
    .select(['email', 'setting'])
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow()
  if (!email) return
  const params = placeOf(call, caller.username)
  await queueMail(ctx, { kind, to: email, language: chosenLanguage(setting) ?? language, params }, transaction)
}
