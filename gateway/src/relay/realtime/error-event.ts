import type { IncomingCall } from '../call'
import { failureOf, type Failure } from '../errors/failure'

/** The codes with which a session is closed. RFC 6455, section 7.4.1. */
export const closeCodes = {
  /** Over, as the upstream says. */
  done: 1000,
  /** The gateway stops, or the time of the session is over. */
  away: 1001,
  /** A message that is not text. */
  unsupported: 1003,
  /** The caller may not go on: no quota, or no access any more. */
  refused: 1008,
  /** The upstream broke off. */
  broken: 1011,
  /** The client sends more than the upstream takes. */
  overload: 1013,
} as const

/** Returns the event that tells a client of a failure. `causedBy` is the id of the client's event that led to it. */
export function errorEvent(
  error: unknown,
  call: Pick<IncomingCall, 'requestId' | 'language'>,
  causedBy: string | null = null,
): string {
  return eventOf(failureOf(error, call), call.requestId, causedBy)
}

const eventOf = ({ type, code, message, param }: Failure, requestId: string, causedBy: string | null): string =>
  JSON.stringify({
    type: 'error',
    event_id: `event_${requestId}`,
    error: { type, code, message, param, event_id: causedBy },
  })
