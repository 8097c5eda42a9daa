import { providerOf } from '@tollgate/providers'

import { AppError } from '../../platform/app-error'
import type { ChannelRow } from '../../platform/store/tables'
import { proxyOf } from './proxy'

/** The columns that decide where a channel's keys are sent. */
type Destined = Pick<ChannelRow, 'type' | 'base_url' | 'setting'>

/**
 * Refuses to send stored keys to another destination than the one they were entered for: keys are write-only, and anyone who could choose
 * their destination could read them.
 * @throws AppError `channel.key_again` when the vendor, the address or the proxy differs.
 */
export function refuseOtherDestination(entered: Destined, now: Destined): void {
  if (!isSameDestination(entered, now)) throw new AppError('channel.key_again')
}

export const isSameDestination = (entered: Destined, now: Destined): boolean =>
  entered.type === now.type && addressOf(entered) === addressOf(now) && proxyOf(entered) === proxyOf(now)

/** Returns the address that is called; a path counts, as one host may serve many tenants, except for the version at its end. */
function addressOf({ type, base_url: given }: Destined): string {
  const text = (given || (providerOf(type)?.baseUrl ?? '')).replace(/(?<!\/)\/+$/, '').replace(/\/v1$/i, '')
  // Addresses with a placeholder for the region are not URLs yet.
  return URL.canParse(text) ? new URL(text).href.replace(/(?<!\/)\/+$/, '') : text
}
