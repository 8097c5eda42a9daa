import { DialectError, isObject, type SessionProtocol } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import { mask } from '../../platform/text/mask'
import { parsedJson } from '../../platform/text/parsed-json'
import type { IncomingCall } from '../call'
import { failureOf, type Failure } from '../errors/failure'

/** Returns the event that reports a failure to a client. `causedBy` is the id of the client's event that caused it. */
export function errorEvent(
  error: unknown,
  call: Pick<IncomingCall, 'requestId' | 'language'>,
  causedBy: string | null = null,
): string {
  return eventOf(failureOf(error, call), call.requestId, causedBy)
}

/** Returns an upstream's error event as a client may see it: without keys, addresses and accounts in its words. */
export function maskedEvent(text: string, secrets: readonly string[]): string {
  const event = parsedJson(text)
  const error = isObject(event) ? event['error'] : undefined
  if (!isObject(event) || !isObject(error)) return text
  const words = Object.entries(error).map(([name, value]) => [
    name,
    typeof value === 'string' ? mask(value, secrets) : value,
  ])
  return JSON.stringify({ ...event, error: Object.fromEntries(words) })
}

/** A close has at most so much of a reason. RFC 6455, section 5.5. */
const maxReasonLength = 123

/** Returns why a session is closed: a code where an event has said it, otherwise the sentence. */
export function closeReason(
  error: unknown,
  call: Pick<IncomingCall, 'requestId' | 'language'>,
  { hasErrorEvents }: Pick<SessionProtocol, 'hasErrorEvents'>,
): string {
  if (!error) return ''
  if (hasErrorEvents) return error instanceof AppError ? error.code : ''
  const bytes = Buffer.from(failureOf(error, call).message).subarray(0, maxReasonLength)
  // A character that is cut off is left out.
  return new TextDecoder().decode(bytes, { stream: true })
}

const eventOf = ({ type, code, message, param }: Failure, requestId: string, causedBy: string | null): string =>
  JSON.stringify({
    type: 'error',
    event_id: `event_${requestId}`,
    error: { type, code, message, param, event_id: causedBy },
  })

export const tooComplex = (): DialectError =>
  new DialectError(null, 'structure_too_large', 'The event is nested too deeply or has too much structure.')

export const tooLarge = (): DialectError =>
  new DialectError(null, 'structure_too_large', 'An event other than input_audio_buffer.append has at most 4 MB.')
