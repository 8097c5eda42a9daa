import type { JsonObject } from '@tollgate/dialects'

import type { IncomingCall } from '../call'
import { callHeaders } from '../delivery/response-headers'

/** A failed call as a platform writes it. */
export interface PlatformFailure {
  readonly status: number
  readonly body: JsonObject
  readonly retryAfterSeconds?: number
}

/** Returns the response for the client. */
export function platformFailureResponse(
  { status, body, retryAfterSeconds }: PlatformFailure,
  call: Pick<IncomingCall, 'requestId' | 'dialect' | 'findings'>,
): Response {
  const headers = callHeaders(call)
  if (status === 408) headers['connection'] = 'close'
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  return Response.json(body, { status, headers })
}
