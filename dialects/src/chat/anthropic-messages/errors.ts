import type { ErrorView } from '../../core/views'
import { isObject, type JsonObject } from '../../core/json'

/** The type of an error by its status. https://platform.claude.com/docs/en/api/errors */
export function anthropicErrorType(status: number): string {
  const known = byStatus.get(status)
  if (known !== undefined) return known
  return status < 500 ? 'invalid_request_error' : 'api_error'
}

const byStatus: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [408, 'timeout_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [503, 'overloaded_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
])

/** The types that OpenAI's dialect has beside those both share. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['server_error', 'api_error'],
  ['upstream_error', 'api_error'],
  ['insufficient_quota', 'billing_error'],
  ['', 'api_error'],
])

/** A code that says more than its type. */
const byCode: ReadonlyMap<string, string> = new Map([
  ['model_not_found', 'not_found_error'],
  ['insufficient_quota', 'billing_error'],
])

const typeOf = ({ type, code }: ErrorView): string => byCode.get(code) ?? renamed.get(type) ?? type

/** The code by which the vendor's SDKs know that they have to send whole conversations. */
export const threadUnsupported = 'thread_unsupported_request'

const detailsOf = ({ code, param }: ErrorView): JsonObject =>
  code === threadUnsupported ? { details: { error_code: code, unsupported: [param] } } : {}

/** The body of an error; `request_id` where the message tells it. */
export function anthropicError(error: ErrorView): JsonObject {
  const id = /\(request id: ([\w.-]{1,128})\)$/.exec(error.message)?.[1]
  return {
    type: 'error',
    error: { type: typeOf(error), message: error.message, ...detailsOf(error) },
    ...(id !== undefined && { request_id: id }),
  }
}

/** An error inside a stream, as text. */
export const errorEventText = (error: ErrorView): string =>
  `event: error\ndata: ${JSON.stringify(anthropicError(error))}\n\n`

/** The error that a message or an event stands for. */
export function errorIn(answer: JsonObject): ErrorView | null {
  const { type, error } = answer
  if (typeof error === 'string' && error !== '') return { message: error, type: 'api_error', code: '', param: null }
  if (!isObject(error)) return null
  if (type !== 'error' && typeof error['message'] !== 'string') return null
  const name = typeof error['type'] === 'string' ? error['type'].slice(0, 128) : ''
  const message = typeof error['message'] === 'string' ? error['message'].slice(0, 4000) : ''
  return { message: message || name || 'The upstream reported an error.', type: name, code: '', param: null }
}
