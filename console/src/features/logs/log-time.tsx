import * as z from 'zod'

import { TimeAgo } from '../../components/time-ago'
import { TimeExact } from '../../components/time-exact'
import { stored, useStored } from '../../lib/storage'

const storedKind = stored<'exact' | 'ago'>('logs-time', z.enum(['exact', 'ago']), 'exact', { isPlain: true })

/** Whether times are told as "3 minutes ago", as this browser remembers. */
export function useIsAgo() {
  const [kind, setKind] = useStored(storedKind)
  return [kind === 'ago', (isAgo: boolean) => setKind(isAgo ? 'ago' : 'exact')] as const
}

/** When it was, in one of two ways; the other on hover. */
export function LogTime({ at }: { readonly at: number }) {
  const [isAgo] = useIsAgo()
  return isAgo ? <TimeAgo at={at} /> : <TimeExact at={at} />
}
