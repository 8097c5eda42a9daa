import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

import type { TelegramAssertion } from '@tollgate/contract'

import { spendForeignSecret } from '../../accounts/flows/take-flow'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { ExternalAccount } from './external-account'
import { providerError } from './provider-fetch'

const provider = 'telegram'

const oldestSeconds = 300
/** Tolerance for clock skew. */
const aheadSeconds = 60

/** The fields covered by the hash, sorted by name. */
const covered = ['auth_date', 'first_name', 'id', 'last_name', 'photo_url', 'username'] as const

/**
 * Verifies the data of Telegram's login widget: at most five minutes old, and used once.
 * https://core.telegram.org/widgets/login#checking-authorization
 * @throws AppError `oauth.off`, `oauth.assertion`.
 */
export async function telegramAccount(ctx: Context, assertion: TelegramAssertion): Promise<ExternalAccount> {
  const { TelegramOAuthEnabled, TelegramBotToken } = ctx.catalog.current.options
  if (!TelegramOAuthEnabled || TelegramBotToken === '') throw providerError(ctx, 'oauth.off', provider)
  const hash = Buffer.from(assertion.hash, 'hex')
  if (!timingSafeEqual(hash, hashOf(assertion, TelegramBotToken))) throw new AppError('oauth.assertion')
  const age = ctx.clock.seconds() - Number(assertion.auth_date)
  if (age > oldestSeconds || age < -aheadSeconds) throw new AppError('oauth.assertion')
  const subject = assertion.id
  await spendForeignSecret(ctx, 'telegram-assertion', { subject, secret: hash.toString('hex') })
  const displayName = [assertion.first_name, assertion.last_name].filter(Boolean).join(' ') || assertion.username
  return {
    provider,
    subject,
    unknown: 'oauth.unbound',
    profile: () => Promise.resolve({ displayName, username: assertion.username }),
  }
}

/** Returns the hash of a genuine assertion. */
export function hashOf(assertion: TelegramAssertion, botToken: string): Buffer {
  const fields = covered.flatMap((name) => (assertion[name] ? [`${name}=${assertion[name]}`] : []))
  const key = createHash('sha256').update(botToken).digest()
  return createHmac('sha256', key).update(fields.join('\n')).digest()
}
