import type { ErrorView } from '../../core/views'
import { isObject, type JsonObject } from '../../core/json'
import { objectsOf, parsedObject, textOf } from '../../core/neutral/read'
import { readUpstreamError } from '../../core/shared/errors'

/** https://google.aip.dev/193 and https://ai.google.dev/gemini-api/docs/troubleshooting */
const byStatus: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [402, 'FAILED_PRECONDITION'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [408, 'DEADLINE_EXCEEDED'],
  [409, 'ABORTED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [499, 'CANCELLED'],
  [500, 'INTERNAL'],
  [501, 'UNIMPLEMENTED'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
  [529, 'UNAVAILABLE'],
])

/** Where an error inside a stream has no status, its code or type in the other dialects' words tells one. */
const byName: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['insufficient_quota', 429],
  ['billing_error', 429],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['model_not_found', 404],
  ['request_too_large', 400],
  ['rate_limit_error', 429],
  ['overloaded_error', 503],
  ['timeout_error', 504],
])

function statusOf({ status, type, code }: ErrorView): number {
  if (status !== undefined && status >= 400 && status < 600) return status
  const named = [...byStatus].find(([, name]) => name === type)?.[0]
  return named ?? byName.get(code) ?? byName.get(type) ?? 500
}

/** The body of an error. */
export function geminiError(error: ErrorView): JsonObject {
  const code = statusOf(error)
  const status = byStatus.get(code) ?? (code < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL')
  return { error: { code, message: error.message, status, ...retryInfo(error) } }
}

const retryInfoType = 'type.googleapis.com/google.rpc.RetryInfo'

/** Google's clients look for the wait in the body, not in a header. https://google.aip.dev/194 */
const retryInfo = ({ retryAfterSeconds: seconds }: ErrorView): JsonObject =>
  seconds === undefined ? {} : { details: [{ '@type': retryInfoType, retryDelay: `${seconds}s` }] }

/** Returns the wait that an error asks for, as in `34.07s`. */
function retryAfterIn({ details }: JsonObject): number | undefined {
  const info = objectsOf(details).find((detail) => detail['@type'] === retryInfoType)
  const [, seconds] = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(textOf(info?.['retryDelay'])) ?? []
  return seconds === undefined ? undefined : Number(seconds)
}

/** An error inside a stream, as text. */
export const errorEventText = (error: ErrorView): string => `data: ${JSON.stringify(geminiError(error))}\n\n`

/** The error that a response stands for. */
export function errorIn(answer: JsonObject): ErrorView | null {
  const { error } = answer
  if (typeof error === 'string' && error !== '') return { message: error, type: '', code: '', param: null }
  if (!isObject(error)) return null
  const { code } = error
  const type = textOf(error['status']).slice(0, 128)
  const message = textOf(error['message']).trim().slice(0, 4000)
  const retryAfterSeconds = retryAfterIn(error)
  return {
    ...(typeof code === 'number' && code >= 400 && code < 600 && { status: code }),
    message: message || type || 'The upstream reported an error.',
    type,
    code: reasonIn(error),
    param: null,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}

/** The one word of an error that programs may go by, as `API_KEY_INVALID`. */
const reasonIn = (error: JsonObject): string =>
  textOf(objectsOf(error['details']).find((detail) => typeof detail['reason'] === 'string')?.['reason']).slice(0, 128)

/** What the vendor said in the body of an error; a stream that fails at once says it in a list. */
export function readError(status: number, body: string): ErrorView {
  const text = body.trim()
  const answer: unknown = text.startsWith('[') ? parsedObject(`{"list":${text}}`)?.['list'] : parsedObject(text)
  const first: unknown = Array.isArray(answer) ? answer[0] : answer
  const hasMessage = isObject(first) && isObject(first['error']) && textOf(first['error']['message']).trim() !== ''
  return (hasMessage ? errorIn(first) : null) ?? readUpstreamError(status, body)
}
