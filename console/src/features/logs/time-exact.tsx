import { formatTime } from '../../lib/text/format'
import { useFormat } from '../../lib/text/use-format'
import { Tip } from '../../components/tip'

/** The time of day to the second; the date and relative time on hover. Its surroundings show the day. */
export function TimeExact({ at }: { readonly at: number }) {
  const { ago } = useFormat()
  return (
    <Tip label={`${formatTime(at)} · ${ago(at)}`}>
      <time dateTime={new Date(at * 1000).toISOString()} className="figures" style={{ whiteSpace: 'nowrap' }}>
        {formatTime(at).slice(timeAt)}
      </time>
    </Tip>
  )
}

/** Index of the time after the date. */
const timeAt = 11
