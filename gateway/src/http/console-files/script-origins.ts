import type { OptionValues } from '@tollgate/contract'

import type { ServiceUrls } from '../../config'

type Switches = Pick<OptionValues, 'TurnstileCheckEnabled' | 'TelegramOAuthEnabled'>

/** Where the scripts of services come from that are switched on: the bot check, and the button of Telegram. */
export const scriptOrigins = (
  options: Switches,
  { turnstile, telegram }: Pick<ServiceUrls, 'turnstile' | 'telegram'>,
): string[] => [
  ...(options.TurnstileCheckEnabled ? [new URL(turnstile).origin] : []),
  ...(options.TelegramOAuthEnabled ? [new URL(telegram).origin] : []),
]
