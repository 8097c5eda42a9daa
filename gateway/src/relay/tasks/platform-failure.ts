import { requestIdHeader } from '@tollgate/contract'
import type { JsonObject } from '@tollgate/dialects'

import type { IncomingCall } from '../call'

/** A failed call as a platform writes it. */
export interface PlatformFailure {
  readonly status: number
  readonly body: JsonObject
  readonly retryAfterSeconds?: number
}

/** Returns the response for the client. */
export function platformFailureResponse(
  { status, body, retryAfterSeconds }: PlatformFailure,
  { requestId }: Pick<IncomingCall, 'requestId'>,
): Response {
  const headers: Record<string, string> = { [requestIdHeader]: requestId }
  if (status === 408) headers['connection'] = 'close'
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  return Response.json(body, { status, headers })
}
