import type { Metrics } from '../../metrics/metrics'
import { NoSlot, type Slot } from '../../channels/slots/slots'
import { UpstreamError } from '../../channels/calls/upstream-error'

const messages = {
  full: 'The line before the channel is full',
  late: 'The time to wait for the channel is over',
  gone: 'The client left',
} as const

/** The slot a call waited for, or why it got none: `busy`, or `abandoned` when its client left. */
export async function waitedFor(
  entering: Promise<Slot>,
  metrics: Pick<Metrics, 'waited'>,
): Promise<Slot | UpstreamError> {
  try {
    const slot = await entering
    metrics.waited('served')
    return slot
  } catch (cause) {
    if (!(cause instanceof NoSlot)) throw cause
    const { why, retryAfterSeconds } = cause
    metrics.waited(why)
    const message = messages[why]
    if (why === 'gone') return new UpstreamError({ fault: 'abandoned', status: 499, message, cause })
    return new UpstreamError({ fault: 'busy', status: 503, message, retryAfterSeconds, cause })
  }
}
