import * as z from 'zod'

import { TimeAgo } from '../../../components/time-ago'
import { StoredValue, useStored } from '../../../lib/browser/stored-value'
import { formatTime } from '../../../lib/text/format'
import { useFormat } from '../../../lib/text/use-format'
import { Tip } from '../../../components/tip'

const storedKind = new StoredValue<'exact' | 'ago'>('logs-time', z.enum(['exact', 'ago']), 'exact', { isPlain: true })

/** Whether times are relative ("3 minutes ago"), as stored in this browser. */
export function useIsAgo() {
  const [kind, setKind] = useStored(storedKind)
  return [kind === 'ago', (isAgo: boolean) => setKind(isAgo ? 'ago' : 'exact')] as const
}

/** A time, absolute or relative; the other form on hover. */
export function LogTime({ at }: { readonly at: number }) {
  const [isAgo] = useIsAgo()
  return isAgo ? <TimeAgo at={at} /> : <TimeExact at={at} />
}

/** The time of day to the second; the date and relative time on hover. Its surroundings show the day. */
function TimeExact({ at }: { readonly at: number }) {
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
