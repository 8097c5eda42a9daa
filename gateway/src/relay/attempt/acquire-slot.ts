import { UpstreamError } from '../../channels/calls/upstream-error'
import { NoSlot, type Slot, type Slots } from '../../channels/slots/slots'
import type { Choice } from '../../channels/choice'
import type { Metrics } from '../../platform/telemetry/metrics/metrics'
import type { RouteRequest } from './route-request'

const messages = {
  full: 'The line before the channel is full',
  late: 'The time to wait for the channel is over',
  gone: 'The client left',
} as const

interface SlotDeps {
  readonly slots: Slots
  readonly metrics: Pick<Metrics, 'waited'>
}

/**
 * Resolves with one of the concurrency slots of a channel that has none free, when it is the call's turn.
 * @throws UpstreamError `busy`, or `abandoned` when the client left first.
 */
export async function acquireSlot(
  { channel }: Choice,
  { departure, deadline }: Pick<RouteRequest, 'departure' | 'deadline'>,
  { slots, metrics }: SlotDeps,
): Promise<Slot> {
  try {
    const slot = await slots.enter(channel, { signal: departure.signal, deadline })
    metrics.waited('served')
    return slot
  } catch (cause) {
    if (!(cause instanceof NoSlot)) throw cause
    const { why, retryAfterSeconds } = cause
    metrics.waited(why)
    const message = messages[why]
    if (why === 'gone') throw new UpstreamError({ fault: 'abandoned', status: 499, message, cause })
    throw new UpstreamError({ fault: 'busy', status: 503, message, retryAfterSeconds, cause })
  }
}
