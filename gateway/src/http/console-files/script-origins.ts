import type { OptionValues } from '@tollgate/contract'

import type { ServiceUrls } from '../../platform/config/config'

type Switches = Pick<OptionValues, 'TurnstileCheckEnabled' | 'TelegramOAuthEnabled'>

/** Returns the origins of the scripts of enabled services: the bot check, and the button of Telegram. */
export const scriptOrigins = (
  options: Switches,
  { turnstile, telegram }: Pick<ServiceUrls, 'turnstile' | 'telegram'>,
): string[] => [
  ...(options.TurnstileCheckEnabled ? [new URL(turnstile).origin] : []),
  ...(options.TelegramOAuthEnabled ? [new URL(telegram).origin] : []),
]
