import { isObject } from '@tollgate/dialects'

import type { BatchApi, BatchLineReport, BatchTarget, VendorBatch } from './batch-api'
import { countOr0, idIn, listIn, objectIn } from './read-reply'

const batchesListed = 100

/** Returns Anthropic's batches of messages, whose calls come within the submission. https://docs.claude.com/en/api/creating-message-batches */
export function messageBatches(): BatchApi {
  const all = ({ baseUrl }: BatchTarget) => `${baseUrl}/v1/messages/batches`
  const one = (target: BatchTarget, id: string) => `${all(target)}/${encodeURIComponent(id)}`
  return {
    maxLines: 100_000,
    maxBytes: 256_000_000,
    paths: { 'anthropic-messages': '/v1/messages' },
    writeLine: ({ id, body }) => `{"custom_id":${JSON.stringify(id)},"params":${body}}`,
    frame: () => ({ contentType: 'application/json', head: '{"requests":[', between: ',', tail: ']}' }),
    sendTo: all,
    list: (target) => ({ method: 'GET', url: `${all(target)}?limit=${batchesListed}` }),
    readList: (body) => listIn(body).map(readBatch),
    retrieve: (id, target) => ({ method: 'GET', url: one(target, id) }),
    read: readBatch,
    cancel: (id, target) => ({ method: 'POST', url: `${one(target, id)}/cancel` }),
    results: ({ id }, target) => [{ method: 'GET', url: `${one(target, id)}/results` }],
    readLine,
    remove: ({ id }, target) => [{ method: 'DELETE', url: one(target, id) }],
  }
}

const states: Readonly<Record<string, VendorBatch['state']>> = {
  in_progress: 'running',
  canceling: 'running',
  ended: 'ended',
}

/** https://docs.claude.com/en/api/retrieving-message-batches */
function readBatch(body: unknown): VendorBatch {
  const batch = objectIn(body)
  const { processing_status: status, request_counts: counts, created_at: createdAt } = batch
  const state = states[String(status)]
  if (state === undefined) throw new TypeError(`Unknown state of a batch: ${String(status)}`)
  const { processing, succeeded, errored, canceled, expired } = isObject(counts) ? counts : {}
  const failed = countOr0(errored) + countOr0(canceled) + countOr0(expired)
  return {
    id: idIn(batch, 'id'),
    name: '',
    state,
    succeeded: countOr0(succeeded),
    failed,
    total: countOr0(processing) + countOr0(succeeded) + failed,
    createdAt: Date.parse(String(createdAt)) || 0,
    inputId: '',
    resultIds: [],
    reason: '',
  }
}

/** An error names its kind, not its status. https://docs.claude.com/en/api/errors */
const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 504,
  overloaded_error: 529,
}

/** https://docs.claude.com/en/api/retrieving-message-batch-results */
function readLine(value: unknown): BatchLineReport {
  const line = objectIn(value)
  const id = idIn(line, 'custom_id')
  const { type, message, error } = objectIn(line['result'])
  if (type === 'succeeded') return { id, kind: 'served', body: objectIn(message) }
  if (type === 'canceled' || type === 'expired') return { id, kind: 'undone' }
  if (type !== 'errored') throw new TypeError(`Unknown result of a call: ${String(type)}`)
  // Both the error and the whole body of one have been seen there.
  const body =
    isObject(error) && isObject(error['error']) ? error : { type: 'error', error: isObject(error) ? error : {} }
  const kind = objectIn(body['error'])['type']
  return { id, kind: 'failed', status: statuses[String(kind)] ?? 500, body }
}
