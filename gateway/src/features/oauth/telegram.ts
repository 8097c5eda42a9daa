import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

import type { TelegramAssertion } from '@tollgate/contract'

import { spendForeignSecret } from '../../accounts/flows/spend-foreign-secret'
import { AppError } from '../../app-error'
import type { Context } from '../../context'
import type { ExternalAccount } from './external-account'
import { providerError } from './provider-names'

const provider = 'telegram'

const oldestSeconds = 300
/** Clocks differ. */
const aheadSeconds = 60

/** What Telegram vouches for; whatever else a page sends is not covered by the hash. Sorted by name. */
const covered = ['auth_date', 'first_name', 'id', 'last_name', 'photo_url', 'username'] as const

/**
 * Resolves with the account that Telegram's widget vouched for, at most five minutes ago and once.
 * https://core.telegram.org/widgets/login#checking-authorization
 * @throws AppError `oauth.off`, `oauth.assertion`.
 */
export async function telegramAccount(ctx: Context, assertion: TelegramAssertion): Promise<ExternalAccount> {
  const { TelegramOAuthEnabled, TelegramBotToken } = ctx.catalog.current.options
  if (!TelegramOAuthEnabled || TelegramBotToken === '') throw providerError('oauth.off', provider)
  const hash = Buffer.from(assertion.hash, 'hex')
  if (!timingSafeEqual(hash, hashOf(assertion, TelegramBotToken))) throw new AppError('oauth.assertion')
  const age = Math.floor(ctx.clock.now() / 1000) - Number(assertion.auth_date)
  if (age > oldestSeconds || age < -aheadSeconds) throw new AppError('oauth.assertion')
  const subject = assertion.id
  await spendForeignSecret(ctx, 'telegram-assertion', { subject, secret: hash.toString('hex') })
  const displayName = [assertion.first_name, assertion.last_name].filter(Boolean).join(' ') || assertion.username
  return { provider, subject, unknown: 'oauth.unbound', profile: () => Promise.resolve({ displayName }) }
}

/** The hash that Telegram made if the assertion is its own. */
export function hashOf(assertion: TelegramAssertion, botToken: string): Buffer {
  const fields = covered.flatMap((name) => (assertion[name] ? [`${name}=${assertion[name]}`] : []))
  const key = createHash('sha256').update(botToken).digest()
  return createHmac('sha256', key).update(fields.join('\n')).digest()
}
