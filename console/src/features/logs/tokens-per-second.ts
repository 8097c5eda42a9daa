import { readLogDetails } from '@tollgate/contract'

import type { LogRow } from './log-row'

/** A stream that came in less was held back and sent at once: its own time says nothing of how fast it was written. */
const shortestStreamMs = 100

/** How fast the answer was written: from its first token on where it was streamed, over the whole call where it was not. */
export function tokensPerSecond(row: LogRow): number | undefined {
  const { use_time_ms: wholeMs, frt: firstTokenMs = -1 } = readLogDetails(row.other)
  if (wholeMs === undefined || row.completion_tokens === 0) return undefined
  const streamMs = row.is_stream && firstTokenMs >= 0 ? wholeMs - firstTokenMs : 0
  const ms = streamMs >= shortestStreamMs ? streamMs : wholeMs
  return ms > 0 ? Math.round((row.completion_tokens * 1000) / ms) : undefined
}
