import { chosenLanguage } from '../accounts/users/user-settings'
import type { IdentityProvider } from '../accounts/identities/identities'
import { queueMail } from '../messaging/mail/queue-mail'
import { addNotification } from '../messaging/messages/add-notification'
import type { Transaction } from '../platform/store/database'
import type { Call } from './handler'
import type { MailParams } from '../messaging/mail/mail-kinds'

type Notice = 'password-changed' | 'factor-added' | 'factor-removed' | 'recovery-codes-renewed'

type OwnersCall = Pick<Call<'user'>, 'ctx' | 'caller' | 'language' | 'clientIp' | 'request'>

/**
 * Notifies the caller of what was done to the account, in the inbox and by mail if it has an address, in the transaction of what was done.
 * Call `changes.deliver` after the commit.
 */
export async function notifyOfAccountChange(kind: Notice, call: OwnersCall, transaction: Transaction): Promise<void> {
  const params = eventContextOf(call, call.caller.username)
  await addNotification(call.ctx, call.caller.userId, { kind, params }, transaction)
  const owner = await readerOf(call, transaction)
  if (owner) await queueMail(call.ctx, { kind, ...owner, params }, transaction)
}

/** Notifies the caller of an account at a provider that was linked or unlinked. */
export async function notifyOfIdentityChange(
  kind: 'identity-linked' | 'identity-unlinked',
  provider: IdentityProvider,
  call: OwnersCall,
  transaction: Transaction,
): Promise<void> {
  const params = { ...eventContextOf(call, call.caller.username), provider }
  await addNotification(call.ctx, call.caller.userId, { kind, params }, transaction)
  const owner = await readerOf(call, transaction)
  if (owner) await queueMail(call.ctx, { kind, ...owner, params }, transaction)
}

async function readerOf({ caller, language }: OwnersCall, transaction: Transaction) {
  const { email, setting } = await transaction
    .selectFrom('users')
    .select(['email', 'setting'])
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow()
  return email ? { to: email, language: chosenLanguage(setting) ?? language } : null
}

const maxUserAgentLength = 512

/** Returns where and when something was done, for a mail about it. */
export const eventContextOf = (
  { ctx, clientIp, request }: Pick<Call, 'ctx' | 'clientIp' | 'request'>,
  username: string,
): MailParams<'password-changed'> => ({
  username,
  ip: clientIp,
  userAgent: (request.headers.get('user-agent') ?? '').slice(0, maxUserAgentLength),
  at: ctx.clock.seconds(),
})
