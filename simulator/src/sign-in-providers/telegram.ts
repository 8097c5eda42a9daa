import { createHash, createHmac } from 'node:crypto'

/** A Telegram user as the widget describes one. */
export interface TelegramUser {
  readonly id: number
  readonly first_name: string
  readonly last_name?: string
  readonly username?: string
  readonly photo_url?: string
}

/**
 * Returns the signed data that a bot's login widget passes to the page.
 * https://core.telegram.org/widgets/login#checking-authorization
 */
export function telegramAssertion(
  botToken: string,
  user: TelegramUser,
  authDate: number,
): Record<string, string> & { readonly hash: string } {
  const fields: Record<string, string> = { auth_date: String(authDate) }
  for (const [name, value] of Object.entries(user)) fields[name] = String(value)
  const text = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('\n')
  const key = createHash('sha256').update(botToken).digest()
  return { ...fields, hash: createHmac('sha256', key).update(text).digest('hex') }
}
