import type { WrittenLogDetails } from '@tollgate/contract'

import type { IncomingCall } from '../call'
import type { Clock } from '../../platform/time/clock'

type CallFacts = Pick<WrittenLogDetails, 'dialect' | 'endpoint' | 'task_id'> & { readonly use_time_ms: number }

interface Caused {
  readonly call: Pick<IncomingCall, 'startedAt' | 'dialect' | 'path' | 'taskId'>
  readonly clock: Pick<Clock, 'monotonic'>
}

/** Returns how the caller called and how long the call has taken so far, for any row of the call. */
export const callFacts = ({ call, clock }: Caused): CallFacts => ({
  use_time_ms: Math.round(clock.monotonic() - call.startedAt),
  dialect: call.dialect,
  endpoint: call.path.slice(0, longestPath),
  ...(call.taskId !== undefined && { task_id: call.taskId }),
})

/** A path may contain a model name of any length. */
const longestPath = 200

/** The headers in which vendors report their own request id. */
const idHeaders = ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id'] as const

const longestId = 128

/** Returns the upstream's own request id, which its vendor's support asks for; undefined when there is none. */
export function upstreamRequestId(headers: Pick<Headers, 'get'>): string | undefined {
  for (const name of idHeaders) {
    const id = headers.get(name)?.trim() ?? ''
    if (id !== '' && id.length <= longestId && /^[\x21-\x7e]+$/.test(id)) return id
  }
  return undefined
}
