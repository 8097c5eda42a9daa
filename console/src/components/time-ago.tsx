import { useEffect, useState } from 'react'

import { formatTime } from '../lib/format'
import { useFormat } from '../lib/use-format'
import { Tip } from './tip'

const refreshMs = 30_000

/** How long ago, with the exact time on hover. */
export function TimeAgo({ at }: { readonly at: number }) {
  const { ago } = useFormat()
  const now = useNow()
  return (
    <Tip label={formatTime(at)}>
      <time dateTime={new Date(at * 1000).toISOString()} style={{ whiteSpace: 'nowrap' }}>
        {ago(at, now)}
      </time>
    </Tip>
  )
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), refreshMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
