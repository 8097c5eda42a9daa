import { readLogDetails } from '@tollgate/contract'

import type { LogRow } from '../log-row'

/** A shorter stream was buffered and sent at once: its duration says nothing about the speed of generation. */
const shortestStreamMs = 100

/** Returns the speed of generation: from the first token for streams, over the whole call otherwise. */
export function tokensPerSecond(row: LogRow): number | undefined {
  const { use_time_ms: wholeMs, frt: firstTokenMs = -1 } = readLogDetails(row.other)
  if (wholeMs === undefined || row.completion_tokens === 0) return undefined
  const streamMs = row.is_stream && firstTokenMs >= 0 ? wholeMs - firstTokenMs : 0
  const ms = streamMs >= shortestStreamMs ? streamMs : wholeMs
  return ms > 0 ? Math.round((row.completion_tokens * 1000) / ms) : undefined
}
