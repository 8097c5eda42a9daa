import { channelStatus, storedPhrase } from '@tollgate/contract'
import { providerOf, type BalanceCall } from '@tollgate/providers'

import { AppError } from '../../app-error'
import { fingerprintOf, parseKeyStates } from '../../catalog/channel-keys'
import { withSecrets } from '../../catalog/channel-secrets'
import type { Context } from '../../context'
import { reportEvent } from '../../events/report-event'
import type { ChannelRow } from '../../store/tables'
import { openKeys } from '../../channels/open-keys'
import { disableChannel } from '../../channels/channel-status'
import { channelRow } from './find-channels'
import { proxyOf } from './proxy'
import { readVendor, VendorCallError } from './vendor-call'

/**
 * Requests a channel's balance from the vendor and stores it: the sum over the enabled keys.
 * @throws AppError `channel.none`, `channel.balance_none`, `channel.balance_failed`.
 */
export async function updateBalance(ctx: Context, channelId: number): Promise<number> {
  const row = await channelRow(ctx, channelId)
  const balanceCall = providerOf(row.type)?.balance
  if (!balanceCall) throw new AppError('channel.balance_none')
  const balance = await sumOfKeys(ctx, row, balanceCall)
  await ctx.database.query.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('channels')
      .set({ balance, balance_updated_time: Math.floor(ctx.clock.now() / 1000) })
      .where('id', '=', channelId)
      .execute()
    const { VendorBalanceThreshold: limit } = ctx.catalog.current.options
    const wasLow = row.balance_updated_time > 0 && row.balance < limit
    if (balance >= limit || wasLow) return
    const facts = { name: row.name, amount: dollars(balance), limit: dollars(limit) }
    await reportEvent(ctx, { kind: 'vendor-balance-low', subject: String(channelId), facts }, transaction)
  })
  return balance
}

const dollars = (amount: number): string => `$${amount.toFixed(2)}`

async function sumOfKeys(ctx: Context, row: ChannelRow, call: BalanceCall): Promise<number> {
  const states = parseKeyStates(row.key_states)
  let sum = 0
  for (const key of openKeys(ctx, row)) {
    if ((states[fingerprintOf(key)]?.status ?? channelStatus.enabled) === channelStatus.enabled) {
      sum += await balanceOfKey(ctx, row, call, key)
    }
  }
  return sum
}

async function balanceOfKey(ctx: Context, stored: ChannelRow, call: BalanceCall, key: string): Promise<number> {
  const row = withSecrets(stored, ctx.seal)
  const baseUrl = row.base_url || (providerOf(row.type)?.baseUrl ?? '')
  try {
    const answers: unknown[] = []
    for (const request of call.requests({ baseUrl, key }, new Date(ctx.clock.now()))) {
      answers.push(await readVendor(ctx, request, { proxy: proxyOf(row), secrets: [key] }))
    }
    return call.parse(answers)
  } catch (cause) {
    if (!(cause instanceof VendorCallError) && !(cause instanceof TypeError)) throw cause
    throw new AppError('channel.balance_failed', { params: { reason: cause.message }, cause })
  }
}

/** Returns the enabled channels whose vendor reports a balance. */
export const channelsWithBalance = (ctx: Context): number[] =>
  [...ctx.catalog.current.channels.values()]
    .filter(({ isEnabled, provider }) => isEnabled && provider.balance)
    .map(({ id }) => id)

/** Updates one balance in a run over all; an empty one disables the channel where that is allowed. Resolves with whether it succeeded. */
export async function watchBalance(ctx: Context, channelId: number): Promise<boolean> {
  try {
    const balance = await updateBalance(ctx, channelId)
    const { options, channels } = ctx.catalog.current
    if (balance <= 0 && options.AutomaticDisableChannelEnabled && channels.get(channelId)?.autoBan) {
      await disableChannel(ctx, channelId, { reason: storedPhrase('status.no_balance') })
    }
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return false
  }
}
