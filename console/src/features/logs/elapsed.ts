import { minuteMs } from '@tollgate/contract'
import { formatDuration } from '../../lib/text/format'

const secondMs = 1_000

/** Formats a duration for comparison: "161 ms", "1.24 s", "12.4 s", "2 min 05 s". Decimals are kept, so that the figures line up. */
export function formatElapsed(milliseconds: number): string {
  if (milliseconds < secondMs || milliseconds >= minuteMs) return formatDuration(milliseconds)
  return `${(milliseconds / secondMs).toFixed(milliseconds < 10 * secondMs ? 2 : 1)} s`
}
