import { channelStatus, storedPhrase } from '@tollgate/contract'
import { providerOf, type BalanceCall, type VendorBalance } from '@tollgate/providers'

import { AppError } from '../../platform/app-error'
import { fingerprintOf, openKeys, parseKeyStates } from '../../channels/catalog/channel-keys'
import { withSecrets } from '../../channels/catalog/channel-secrets'
import type { OptionValues } from '../../channels/catalog/catalog'
import type { Context } from '../../context'
import { reportEvent } from '../../platform/telemetry/events/report-event'
import type { ChannelRow } from '../../platform/store/tables'
import { disableChannel } from '../../channels/channel-status'
import { channelRow } from './find-channels'
import { proxyOf } from './save-channel'
import { readVendor, VendorCallError } from './vendor-call'
import { inDollars, moneyText } from './vendor-money'

/**
 * Requests a channel's balance from the vendor and stores it: the sum over the enabled keys.
 * @throws AppError `channel.none`, `channel.balance_none`, `channel.balance_failed`.
 */
export async function updateBalance(ctx: Context, channelId: number): Promise<VendorBalance> {
  const row = await channelRow(ctx, channelId)
  const balanceCall = providerOf(row.type)?.balance
  if (!balanceCall) throw new AppError('channel.balance_none')
  const { options } = ctx.catalog.current
  const sum = sumOf(await balancesOfKeys(ctx, row, balanceCall), options)
  const reported = { balance: sum.amount, balance_currency: sum.currency }
  await ctx.database.query.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('channels')
      .set({ ...reported, balance_updated_time: ctx.clock.seconds() })
      .where('id', '=', channelId)
      .execute()
    const { VendorBalanceThreshold: limit } = options
    const wasLow = row.balance_updated_time > 0 && inDollars(row, options) < limit
    if (inDollars(reported, options) >= limit || wasLow) return
    const facts = { name: row.name, amount: moneyText(reported, options), limit: `$${limit.toFixed(2)}` }
    await reportEvent(ctx, { kind: 'vendor-balance-low', subject: String(channelId), facts }, transaction)
  })
  return sum
}

/** Returns the sum in the currency of all, or in dollars where they differ. */
function sumOf(balances: readonly VendorBalance[], options: OptionValues): VendorBalance {
  const [{ currency } = { currency: 'USD' as const }] = balances
  if (balances.every((one) => one.currency === currency))
    return { amount: balances.reduce((sum, { amount }) => sum + amount, 0), currency }
  const dollars = balances.map((one) => inDollars({ balance: one.amount, balance_currency: one.currency }, options))
  return { amount: dollars.reduce((sum, amount) => sum + amount, 0), currency: 'USD' }
}

async function balancesOfKeys(ctx: Context, row: ChannelRow, call: BalanceCall): Promise<VendorBalance[]> {
  const states = parseKeyStates(row.key_states)
  const found: VendorBalance[] = []
  for (const key of openKeys(ctx, row)) {
    if ((states[fingerprintOf(key)]?.status ?? channelStatus.enabled) === channelStatus.enabled) {
      found.push(await balanceOfKey(ctx, row, call, key))
    }
  }
  return found
}

async function balanceOfKey(ctx: Context, stored: ChannelRow, call: BalanceCall, key: string): Promise<VendorBalance> {
  const row = withSecrets(stored, ctx.seal)
  const baseUrl = row.base_url || (providerOf(row.type)?.baseUrl ?? '')
  try {
    const responses: unknown[] = []
    for (const request of call.requests({ baseUrl, key }, new Date(ctx.clock.now()))) {
      responses.push(await readVendor(ctx, request, { proxy: proxyOf(row), secrets: [key] }))
    }
    return call.parse(responses, { baseUrl })
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
    const { amount } = await updateBalance(ctx, channelId)
    const { options, channels } = ctx.catalog.current
    if (amount <= 0 && options.AutomaticDisableChannelEnabled && channels.get(channelId)?.autoBan) {
      await disableChannel(ctx, channelId, { reason: storedPhrase('status.no_balance') })
    }
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return false
  }
}
