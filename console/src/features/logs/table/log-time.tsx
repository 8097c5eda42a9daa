import * as z from 'zod'

import { TimeAgo } from '../../../components/time-ago'
import { TimeExact } from '../time-exact'
import { stored, useStored } from '../../../lib/browser/storage'

const storedKind = stored<'exact' | 'ago'>('logs-time', z.enum(['exact', 'ago']), 'exact', { isPlain: true })

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
