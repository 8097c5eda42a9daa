import type { Context } from '../../context'
import { runProgress, startRun } from '../../channels/channel-run'
import { testableChannels, watchChannel } from '../../channels/watch-channel'
import type { Job } from './job'

/** Tests all channels at the configured interval, where the options say so. A test started by hand counts too. */
export const testChannels = (ctx: Context): Job => ({
  name: 'test-channels',
  everyMs: 15_000,
  async run(signal) {
    const { options } = ctx.catalog.current
    if (!options['monitor_setting.auto_test_channel_enabled']) return
    const { started_at: last, is_running: isRunning } = await runProgress(ctx, 'channel-test')
    const due = last + options['monitor_setting.auto_test_channel_minutes'] * 60
    if (isRunning || ctx.clock.seconds() < due) return
    const run = await startRun(
      ctx,
      'channel-test',
      testableChannels(ctx),
      (id, goOn) => watchChannel(ctx, id, goOn),
      signal,
    )
    await run?.ended
  },
})
