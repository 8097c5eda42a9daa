import type { ErrorCode, OptionValues } from '@tollgate/contract'
import type { JsonObject } from '@tollgate/dialects'

import type { IncomingCall } from '../call'
import type { RelayDeps } from '../call-context'
import type { FailureContext } from '../errors/failure'
import { callHeaders } from '../delivery/response-headers'

/** A public call of a platform whose work ends later. */
export interface TaskEndpoint {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** What follows the platform's prefix; its groups are given to `answer`. */
  readonly path: RegExp
  readonly respond: (call: IncomingCall, deps: RelayDeps, named: string) => Promise<Response>
}

/** The public calls of one platform, which has a form of its own for errors. */
export interface TaskPlatformCalls {
  readonly prefix: RegExp
  /** Returns with which error it is refused where the site does not offer it, and otherwise null. Default: it is always offered. */
  readonly refusal?: (options: OptionValues) => ErrorCode | null
  readonly failure: (error: unknown, call: FailureContext & Pick<IncomingCall, 'dialect'>) => PlatformFailure
  /** Loaded with the first call. */
  readonly load: () => Promise<readonly TaskEndpoint[]>
}

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
