import { runProgress, startRun } from '../../channels/channel-run'
import type { Context } from '../../context'
import type { Job } from './job'

/** Asks vendors for the balances of channels at the configured interval. A run started by hand counts too. */
export const askVendorBalances = (ctx: Context): Job => ({
  name: 'ask-vendor-balances',
  everyMs: 15_000,
  async run(signal) {
    const { VendorBalanceMinutes: minutes } = ctx.catalog.current.options
    if (minutes === 0) return
    const { started_at: last, is_running: isRunning } = await runProgress(ctx, 'channel-balance')
    if (isRunning || ctx.clock.seconds() < last + minutes * 60) return
    // Loaded only where it is used.
    const { channelsWithBalance, watchBalance } = await import('../../console-api/channels/channel-balance')
    const run = await startRun(ctx, 'channel-balance', channelsWithBalance(ctx), (id) => watchBalance(ctx, id), signal)
    await run?.ended
  },
})
