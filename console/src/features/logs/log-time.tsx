import * as z from 'zod'

import { TimeAgo } from '../../components/time-ago'
import { Tip } from '../../components/tip'
import { formatTime } from '../../lib/format'
import { stored, useStored } from '../../lib/storage'
import { useFormat } from '../../lib/use-format'

const storedKind = stored<'exact' | 'ago'>('logs-time', z.enum(['exact', 'ago']), 'exact', { isPlain: true })

/** Whether times are told as "3 minutes ago", as this browser remembers. */
export function useIsAgo() {
  const [kind, setKind] = useStored(storedKind)
  return [kind === 'ago', (isAgo: boolean) => setKind(isAgo ? 'ago' : 'exact')] as const
}

/** When it was, in one of two ways; the other on hover. */
export function LogTime({ at }: { readonly at: number }) {
  const [isAgo] = useIsAgo()
  const { ago } = useFormat()
  if (isAgo) return <TimeAgo at={at} />
  return (
    <Tip label={ago(at)}>
      <time dateTime={new Date(at * 1000).toISOString()} style={{ whiteSpace: 'nowrap' }}>
        {formatTime(at)}
      </time>
    </Tip>
  )
}
