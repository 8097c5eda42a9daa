import { dialects, isObject, type DialectId, type JsonObject } from '@tollgate/dialects'

import { readObject } from '../../tasks/task-store'
import type { Failure } from '../errors/failure'

/** A request of a batch as it is kept until it was made. */
export interface LineRequest {
  readonly custom_id: string
  readonly body: JsonObject
}

/** Returns the request that is kept of a line. */
export function requestIn(text: string): LineRequest {
  const { custom_id: id, body } = readObject(text)
  return { custom_id: typeof id === 'string' ? id : '', body: isObject(body) ? body : {} }
}

/** What became of a line. */
export type LineEnd =
  | { readonly kind: 'served'; readonly body: unknown }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'expired' }

/** Writes results as the dialect's API does: a line of a file. */
export interface ResultWriter {
  (request: Pick<LineRequest, 'custom_id'>, requestId: string, end: LineEnd): string
}

const unexecuted = {
  cancelled: { code: 'batch_cancelled', message: 'This request was not executed because the batch was cancelled.' },
  expired: { code: 'batch_expired', message: 'This request could not be executed before the batch expired.' },
}

/** https://platform.openai.com/docs/api-reference/batch/request-output */
const openAiResult =
  (dialect: DialectId): ResultWriter =>
  ({ custom_id }, requestId, end) => {
    const common = { id: `batch_req_${requestId}`, custom_id }
    if (end.kind !== 'served' && end.kind !== 'failed')
      return JSON.stringify({ ...common, response: null, error: unexecuted[end.kind] })
    const [status, body] =
      end.kind === 'served' ? [200, end.body] : [end.failure.status, dialects[dialect].errorBody(end.failure)]
    const response = { status_code: status, request_id: requestId, body }
    return JSON.stringify({ ...common, response, error: null })
  }

/** https://docs.claude.com/en/api/retrieving-message-batch-results */
const anthropicResult: ResultWriter = ({ custom_id }, _, end) =>
  JSON.stringify({ custom_id, result: messageResult(end) })

function messageResult(end: LineEnd): JsonObject {
  if (end.kind === 'served') return { type: 'succeeded', message: end.body }
  if (end.kind === 'failed') return { type: 'errored', error: dialects['anthropic-messages'].errorBody(end.failure) }
  return { type: end.kind === 'cancelled' ? 'canceled' : 'expired' }
}

/** Returns how the results of a batch are written. `dialect`: that of its calls. */
export const resultWriter = (batchDialect: string, dialect: DialectId): ResultWriter =>
  batchDialect === 'anthropic' ? anthropicResult : openAiResult(dialect)
