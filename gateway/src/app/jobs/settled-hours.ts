import type { Context } from '../../context'
import type { Pace } from '../../platform/store/pace'
import { spans } from '../../billing/analytics/dimensions'

/** Seconds after its end before an hour is added up: by then most of its charges have arrived, and late ones cost more. */
const settling = 600

/** Returns the time, in whole seconds, before which hours begin that are over and settled. */
export const settledBefore = ({ clock }: Pick<Context, 'clock'>): number => clock.seconds() - spans.hour - settling

/** Repeats a part of the work until it reports that nothing is left. */
export async function untilDone(pace: Pace, signal: AbortSignal, part: () => Promise<boolean>): Promise<void> {
  for (let isMore = true; isMore && !signal.aborted;) isMore = await pace.part(part)
}
