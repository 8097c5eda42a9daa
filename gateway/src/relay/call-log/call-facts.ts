import type { WrittenLogDetails } from '@tollgate/contract'

import type { CallContext } from '../call-context'

type CallFacts = Pick<WrittenLogDetails, 'dialect' | 'endpoint'> & { readonly use_time_ms: number }

/** Tells how the caller asked and how long the call has taken so far, for any row of the call. */
export const callFacts = ({ call, deps: { ctx } }: Pick<CallContext, 'call' | 'deps'>): CallFacts => ({
  use_time_ms: Math.round(ctx.clock.monotonic() - call.startedAt),
  dialect: call.dialect,
  endpoint: call.path.slice(0, longestPath),
})

/** A path may name a model, which may be of any length. */
const longestPath = 200

/** The names under which vendors tell their own id of a call. */
const idHeaders = ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id'] as const

const longestId = 128

/** Reads the upstream's own id of a call, which its vendor's support asks for. */
export function upstreamRequestId(headers: Pick<Headers, 'get'>): string | undefined {
  for (const name of idHeaders) {
    const id = headers.get(name)?.trim() ?? ''
    if (id !== '' && id.length <= longestId && /^[\x21-\x7e]+$/.test(id)) return id
  }
  return undefined
}
