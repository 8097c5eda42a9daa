import type { ErrorView } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { objectOf, textOf, textOrNull } from '../../core/neutral/read'
import { errorIn as openAiErrorIn } from '../../core/shared/errors'

/** An error as an event of a stream. https://platform.openai.com/docs/api-reference/responses-streaming/error */
export const errorEvent = ({ message, type, code, param }: ErrorView, sequence: number): JsonObject => ({
  type: 'error',
  code: code || type || null,
  message,
  param,
  sequence_number: sequence,
})

/** An event of a stream, as text. */
export const textOfEvent = (event: JsonObject): string =>
  `event: ${textOf(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`

/** A response names its errors by a code alone. */
const typeByCode: ReadonlyMap<string, string> = new Map([
  ['server_error', 'server_error'],
  ['rate_limit_exceeded', 'rate_limit_error'],
  ['insufficient_quota', 'insufficient_quota'],
  ['vector_store_timeout', 'server_error'],
])

const withErrorType = (error: ErrorView): ErrorView =>
  error.type === '' ? { ...error, type: typeByCode.get(error.code) ?? '' } : error

/** The error of a response, or of any other body. */
export function errorIn(response: JsonObject): ErrorView | null {
  const error = openAiErrorIn(response)
  if (error !== null) return withErrorType({ ...error, message: error.message || error.code || error.type })
  const { status } = response
  if (status !== 'failed' && status !== 'cancelled') return null
  return { message: `The response was ${status} without a reason.`, type: 'server_error', code: '', param: null }
}

/** The error that an `error` event reports, in itself as documented or in a member of its own. */
export function errorOfEvent(event: JsonObject): ErrorView {
  const reported = openAiErrorIn(event)
  if (reported !== null && reported.message !== '') return withErrorType(reported)
  const { message, code, param } = { ...event, ...objectOf(event['error']) }
  return withErrorType({
    message: textOf(message).slice(0, 4000) || 'The upstream reported an error.',
    type: '',
    code: textOf(code).slice(0, 128),
    param: textOrNull(param)?.slice(0, 128) ?? null,
  })
}
