import { formatTime, formatTimeThisYear } from '../lib/format'
import { useFormat } from '../lib/use-format'
import { Tip } from './tip'

/** When it was, to the second, without the year while it is this one; the whole of it and how long ago on hover. */
export function TimeExact({ at }: { readonly at: number }) {
  const { ago } = useFormat()
  return (
    <Tip label={`${formatTime(at)} · ${ago(at)}`}>
      <time dateTime={new Date(at * 1000).toISOString()} className="figures" style={{ whiteSpace: 'nowrap' }}>
        {formatTimeThisYear(at)}
      </time>
    </Tip>
  )
}
