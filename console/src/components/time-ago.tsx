import { useFormat } from '../lib/text/use-format'
import { formatTime } from '../lib/text/format'
import { useNow } from '../lib/text/use-now'
import { Tip } from './tip'

const refreshMs = 30_000

/** Relative time, with the exact time on hover. */
export function TimeAgo({ at }: { readonly at: number }) {
  const { ago } = useFormat()
  const now = useNow(refreshMs) / 1000
  return (
    <Tip label={formatTime(at)}>
      <time dateTime={new Date(at * 1000).toISOString()} style={{ whiteSpace: 'nowrap' }}>
        {ago(at, now)}
      </time>
    </Tip>
  )
}
