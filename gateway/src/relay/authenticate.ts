import { channelStatus, role } from '@tollgate/contract'

import type { ApiKey } from '../accounts/account-cache'
import { AppError } from '../app-error'
import type { Catalog } from '../catalog/catalog'
import type { Context } from '../context'
import { sha256 } from '../store/seal'
import type { Caller, IncomingCall } from './call'
import { presentedKey } from './credentials'

/**
 * Find the key of a call and the user it belongs to. Answers at once when both are in memory.
 * @throws AppError `key.missing`, `key.invalid`, `caller.channel_pin`, `channel_pin.unknown`, `channel_pin.disabled`.
 */
export function authenticate(call: IncomingCall, ctx: Context): Caller | Promise<Caller> {
  const presented = presentedKey(call.request.headers, call.query)
  if (!presented || presented.secret === '') throw new AppError('key.missing')
  const found = ctx.accounts.byKeyHash(sha256(presented.secret))
  const identify = (key: ApiKey | null) => callerOf(key, presented.channel, call.catalog)
  return found instanceof Promise ? found.then(identify) : identify(found)
}

function callerOf(key: ApiKey | null, channel: string | null, catalog: Catalog): Caller {
  if (!key || key.account.isDeleted) throw new AppError('key.invalid')
  return {
    account: key.account,
    key,
    group: key.group || key.account.group,
    payer: { userId: key.account.id, tokenId: key.id, isTokenLimited: !key.isUnlimited },
    tokenName: key.name,
    pinnedChannelId: channel === null ? null : pinnedChannel(channel, key.account.role, catalog),
  }
}

/** The channel named at the end of a key: an administrator's way to try one channel. */
function pinnedChannel(text: string, callerRole: number, catalog: Catalog): number {
  if (callerRole < role.admin) throw new AppError('caller.channel_pin')
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  const channel = catalog.channels.get(id)
  if (!channel) throw new AppError('channel_pin.unknown')
  if (channel.status !== channelStatus.enabled) throw new AppError('channel_pin.disabled')
  return id
}
