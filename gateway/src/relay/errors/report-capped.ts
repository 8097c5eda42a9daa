import { markCappedUsage } from '../../channels/capped-usage'
import type { CappedCounts } from '../../billing/metering/meter'
import type { Choice } from '../../channels/choice'
import type { CallContext } from '../call-context'

/** Reports that an upstream's usage is implausible: in the log, in the metrics and at the channel. */
export function reportCapped(
  { deps: { ctx }, call }: Pick<CallContext, 'deps' | 'call'>,
  { channel }: Choice,
  reported: CappedCounts,
): void {
  const about = { requestId: call.requestId, channel: channel.id }
  ctx.log.warn({ ...about, reported }, 'an upstream reported more than the call can have used')
  ctx.metrics.usageCapped(Object.keys(reported))
  markCappedUsage(ctx, channel.id).catch((error: unknown) =>
    ctx.log.error({ ...about, error }, 'a channel could not be marked'),
  )
}
