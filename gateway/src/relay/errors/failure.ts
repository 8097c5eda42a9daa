import { hourSeconds, storedPhrase, type ErrorCode } from '@tollgate/contract'
import { DialectError, dialects, errorType, withNumericCode } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import { sentence, type Language } from '../../http/language'
import type { IncomingCall } from '../call'
import { addCallHeaders } from '../delivery/response-headers'
import { mask } from '../../platform/text/mask'
import { DatabaseUnavailableError } from '../../platform/store/database-errors'
import { UpstreamError } from '../../channels/calls/upstream-error'
import { isOperatorsFault } from '../../channels/calls/classify-failure'
import type { FailReason } from '../../tasks/end-task'

/** What writing a failure response needs to know about its call. */
export interface FailureContext {
  readonly requestId: string
  readonly language: Language
}

/** A failure as it is sent, before it is written in a dialect. */
export interface Failure {
  readonly status: number
  readonly message: string
  readonly type: string
  /** A machine-readable name: one that SDKs know where there is one, otherwise ours. */
  readonly code: string
  readonly param: string | null
  readonly retryAfterSeconds?: number
}

/** Names that programs written for OpenAI's API look for. */
const knownNames: Partial<Record<ErrorCode, string>> = {
  'key.missing': 'invalid_api_key',
  'key.invalid': 'invalid_api_key',
  'key.disabled': 'invalid_api_key',
  'key.expired': 'invalid_api_key',
  'key.exhausted': 'insufficient_quota',
  'quota.user': 'insufficient_quota',
  'quota.token': 'insufficient_quota',
  'quota.window': 'rate_limit_exceeded',
  'model.unknown': 'model_not_found',
  'model.absent': 'model_not_found',
  'rate.limited': 'rate_limit_exceeded',
  'rate.token': 'rate_limit_exceeded',
  'rate.user': 'rate_limit_exceeded',
  'rate.user_success': 'rate_limit_exceeded',
  'request.sensitive_words': 'sensitive_words_detected',
  'endpoint.unsupported': 'api_not_implemented',
  'realtime.expired': 'session_expired',
  'object.response_none': 'previous_response_not_found',
  'object.compaction': 'invalid_encrypted_content',
  'object.response_gone': 'previous_response_not_found',
  'turn.broken': 'previous_response_not_found',
  'realtime.sessions': 'rate_limit_exceeded',
  'socket.expired': 'websocket_connection_limit_reached',
  'socket.idle': 'websocket_connection_limit_reached',
  'socket.waiting': 'rate_limit_exceeded',
  // Only its sentence differs.
  'upstream.denied': 'upstream.failed',
}

/** Errors that the console sends with status 200 mean a refused caller here. */
const statusOf = ({ status }: AppError): number => (status === 200 ? 401 : status)

/** Returns a failure of the gateway's own, in the caller's language. */
export function ownFailure(error: AppError, { requestId, language }: FailureContext): Failure {
  const code = knownNames[error.code] ?? error.code
  const status = statusOf(error)
  return {
    status,
    message: `${sentence(error.code, error.params, language)} (request id: ${requestId})`,
    type: errorType(status, code),
    code,
    param: paramOf(error),
    retryAfterSeconds: error.retryAfterSeconds,
  }
}

const ofModel: ReadonlySet<ErrorCode> = new Set(['model.unknown', 'model.absent', 'request.model_missing'])

/** Returns the member of the request that is to blame. */
function paramOf({ code, params }: AppError): string | null {
  if (ofModel.has(code)) return 'model'
  const { place } = params
  return code.startsWith('object.') && typeof place === 'string' ? place : null
}

/** Statuses caused by the client's own request; it is shown the upstream's message. All others are internal to the gateway. */
const clientStatuses: ReadonlySet<number> = new Set([
  400, 404, 406, 409, 410, 411, 413, 414, 415, 416, 418, 422, 431, 451,
])

const maxRetryAfterSeconds = hourSeconds

/**
 * Returns what the last failed attempt means for the client. The upstream's message is masked; a rejected channel key is not reported as a
 * rejected client key.
 */
function upstreamFailure(error: UpstreamError, context: FailureContext): Failure {
  const retryAfterSeconds = clampedRetryAfter(error)
  if (error.isOfClient) return { ...passedOn(error, context), retryAfterSeconds }
  if (error.fault === 'refused' && clientStatuses.has(error.status) && !isOperatorsFault(error))
    return passedOn(error, context)
  const details = { params: { status: error.status }, retryAfterSeconds }
  return ownFailure(new AppError(upstreamSentence(error), details), context)
}

/** The vendor does not take the operator's key, or its account is not paid. */
const operatorStatuses: ReadonlySet<number> = new Set([401, 402, 403])

function passedOn(error: UpstreamError, { requestId }: FailureContext): Failure {
  return {
    status: error.status,
    message: `${mask(error.message, error.secrets)} (request id: ${requestId})`,
    type: mask(error.type, error.secrets) || errorType(error.status),
    code: mask(error.code, error.secrets) || 'upstream.rejected',
    param: error.param === null ? null : mask(error.param, error.secrets),
  }
}

/** Returns the code of the sentence about it: where only the operator can help, it does not ask to try again. */
export function upstreamSentence(error: UpstreamError): ErrorCode {
  const code = upstreamCode(error)
  return code === 'upstream.failed' && operatorStatuses.has(error.status) ? 'upstream.denied' : code
}

/** Returns our own code for an upstream's failure, which may be shown to anyone. */
export function upstreamCode({ fault, status }: UpstreamError): ErrorCode {
  if (fault === 'unanswered') return 'task.unanswered'
  if (fault === 'unreachable' || fault === 'stale') return 'upstream.unreachable'
  if (fault === 'busy') return 'route.busy'
  if (fault === 'malformed') return 'upstream.malformed'
  if (fault === 'timeout' || fault === 'silent' || status === 408 || status === 504 || status === 524)
    return 'upstream.timeout'
  return status === 429 ? 'upstream.busy' : 'upstream.failed'
}

const clampedRetryAfter = ({ retryAfterSeconds }: UpstreamError): number | undefined =>
  retryAfterSeconds === undefined
    ? undefined
    : Math.min(Math.max(Math.ceil(retryAfterSeconds), 1), maxRetryAfterSeconds)

/** Returns what the client is told about an error; of an unexpected one it learns nothing. */
export function failureOf(error: unknown, context: FailureContext): Failure {
  if (error instanceof AppError) return ownFailure(error, context)
  if (error instanceof UpstreamError) return upstreamFailure(error, context)
  if (error instanceof DialectError) return requestFailure(error, context)
  const code = error instanceof DatabaseUnavailableError ? 'db.down' : 'server.error'
  return ownFailure(new AppError(code, { cause: error }), context)
}

/** Returns whether an error is one of those that calls end with. An unavailable database is reported by the heartbeat, and not by each call. */
export const isExpected = (error: unknown): boolean => expected.some((kind) => error instanceof kind)
const expected = [AppError, DialectError, UpstreamError, DatabaseUnavailableError]

/** Returns one of a few names for what went wrong, without any text of a client or an upstream. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof AppError) return error.code
  if (error instanceof UpstreamError) return `upstream.${error.fault}`
  if (error instanceof DialectError) return 'request.invalid'
  return error instanceof DatabaseUnavailableError ? 'db.down' : 'server.error'
}

/** Returns the failure for a request that its dialect does not allow. */
const requestFailure = ({ message, param, code }: DialectError, { requestId }: FailureContext): Failure => ({
  status: 400,
  message: `${message} (request id: ${requestId})`,
  type: 'invalid_request_error',
  code,
  param,
})

/** Returns the response for an unknown address, in the format clients know. */
export const unknownAddress = (call: IncomingCall): Response =>
  addressFailure(call, 404, `Invalid URL (${addressOf(call)})`, 'endpoint.unknown')

/** Returns the response for an address of OpenAI's API that no channel can serve. */
export const unsupportedAddress = (call: IncomingCall): Response =>
  addressFailure(call, 501, `This endpoint is not implemented (${addressOf(call)})`, 'api_not_implemented')

const addressOf = ({ method, path }: IncomingCall): string => `${method} ${path.slice(0, maxPathLength)}`

function addressFailure(call: IncomingCall, status: number, sentence: string, code: string): Response {
  const message = `${sentence} (request id: ${call.requestId})`
  return failureResponse({ status, message, type: 'invalid_request_error', code, param: null }, call)
}

const maxPathLength = 200

/** The SDKs of OpenAI and Anthropic keep to a wait of at most this; otherwise they try again within seconds. */
const maxHonoredWaitSeconds = 60

/** Returns the response of a failed call, in the caller's dialect. */
export function failureResponse(
  failure: Failure,
  call: Pick<IncomingCall, 'requestId' | 'dialect' | 'hasNumericErrorCodes' | 'findings'>,
): Response {
  const headers = addCallHeaders({ 'content-type': 'application/json' }, call)
  const { retryAfterSeconds: wait } = failure
  // Wait neither for the rest of a body that was too slow nor for the frames of a refused WebSocket.
  if (failure.status === 408 || failure.status === 426) headers['connection'] = 'close'
  // A 426 must name the protocol to use (RFC 9110, 15.5.22).
  if (failure.status === 426) headers['upgrade'] = 'HTTP/1.1'
  // The SDKs of OpenAI and Anthropic repeat every other status above 499.
  if (failure.status === 501 || (wait ?? 0) > maxHonoredWaitSeconds) headers['x-should-retry'] = 'false'
  if (wait !== undefined) headers['retry-after'] = String(wait)
  const body = dialects[call.dialect].errorBody(failure)
  const written = call.hasNumericErrorCodes ? withNumericCode(body, failure.status) : body
  return new Response(JSON.stringify(written), { status: failure.status, headers })
}

const maxReasonLength = 1000

/**
 * Returns why a task failed, as users read it: an upstream's own words only where they concern the request. `lastStatus` is that of the last
 * attempt.
 */
export function failReason(error: unknown, lastStatus: number | undefined): FailReason {
  if (error instanceof AppError) return { code: error.code, params: error.params }
  if (!(error instanceof UpstreamError)) return { code: 'server.error' }
  const isTheirs = error.fault === 'refused' && error.status >= 400 && error.status < 500 && error.status !== 429
  if (!isTheirs || lastStatus === 401) return { code: upstreamCode(error), params: { status: error.status } }
  return mask(error.message, error.secrets).slice(0, maxReasonLength) || storedPhrase('task.failed')
}
