import { isObject, type JsonObject } from '@tollgate/dialects'

import type { BatchApi, BatchFiles, BatchLineReport, BatchTarget, VendorBatch } from './batch-api'

/** https://platform.openai.com/docs/api-reference/batch/create */
const paths: ReadonlySet<string> = new Set([
  '/v1/responses',
  '/v1/chat/completions',
  '/v1/embeddings',
  '/v1/completions',
  '/v1/moderations',
])

const boundary = 'tollgate-batch-4f1c9ac2d7e84b0f'
const fileName = (name: string): string => `${name}.jsonl`
const part = (headers: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${headers}\r\n\r\n`

/** Uploads are listed newest first; one that is looked for was made within the last minutes. */
const filesListed = 1000
const batchesListed = 100

const running: ReadonlySet<unknown> = new Set(['validating', 'in_progress', 'finalizing', 'cancelling'])
const ended: ReadonlySet<unknown> = new Set(['completed', 'expired', 'cancelled'])

/** Vendors' names for calls that were not made. https://platform.openai.com/docs/guides/batch#batch-expiration */
const undone: ReadonlySet<unknown> = new Set(['batch_expired', 'batch_cancelled'])

/** Returns batches in OpenAI's form. `baseOf`: the address that `/files` and `/batches` follow. */
export function openAiBatches(baseOf: (target: BatchTarget) => string): BatchApi {
  const files: BatchFiles = {
    readId: (body) => textIn(body, 'id'),
    list: (target) => ({ method: 'GET', url: `${baseOf(target)}/files?purpose=batch&limit=${filesListed}&order=desc` }),
    find: (body, name) =>
      listIn(body).flatMap((file) => (file['filename'] === fileName(name) ? [textIn(file, 'id')] : [])),
    create: ({ id, path, name }, target) => ({
      method: 'POST',
      url: `${baseOf(target)}/batches`,
      body: { input_file_id: id, endpoint: path, completion_window: '24h', metadata: { tollgate_batch: name } },
    }),
  }
  const fileAt = (target: BatchTarget, id: string) => `${baseOf(target)}/files/${encodeURIComponent(id)}`
  const batchAt = (target: BatchTarget, id: string) => `${baseOf(target)}/batches/${encodeURIComponent(id)}`
  return {
    maxLines: 50_000,
    maxBytes: 200_000_000,
    takes: (path) => paths.has(path),
    writeLine: ({ id, path, body }) =>
      `{"custom_id":${JSON.stringify(id)},"method":"POST","url":${JSON.stringify(path)},"body":${body}}`,
    frame: (name) => ({
      contentType: `multipart/form-data; boundary=${boundary}`,
      head: `${part('name="purpose"')}batch\r\n${part(`name="file"; filename="${fileName(name)}"\r\nContent-Type: application/jsonl`)}`,
      between: '\n',
      tail: `\r\n--${boundary}--\r\n`,
    }),
    sendTo: (target) => `${baseOf(target)}/files`,
    files,
    list: (target) => ({ method: 'GET', url: `${baseOf(target)}/batches?limit=${batchesListed}` }),
    readList: (body) => listIn(body).map(readBatch),
    retrieve: (id, target) => ({ method: 'GET', url: batchAt(target, id) }),
    read: readBatch,
    cancel: (id, target) => ({ method: 'POST', url: `${batchAt(target, id)}/cancel` }),
    results: ({ resultIds }, target) =>
      resultIds.map((id) => ({ method: 'GET', url: `${fileAt(target, id)}/content` })),
    readLine,
    remove: ({ inputId, resultIds }, target) =>
      [inputId, ...resultIds].filter((id) => id !== '').map((id) => ({ method: 'DELETE', url: fileAt(target, id) })),
  }
}

/** https://platform.openai.com/docs/api-reference/batch/object */
function readBatch(body: unknown): VendorBatch {
  const batch = objectIn(body)
  const { status, request_counts: counts, output_file_id: output, error_file_id: errors, created_at: createdAt } = batch
  if (!running.has(status) && !ended.has(status) && status !== 'failed')
    throw new TypeError(`Unknown state of a batch: ${String(status)}`)
  const { total, completed, failed } = isObject(counts) ? counts : {}
  return {
    id: textIn(batch, 'id'),
    state: status === 'failed' ? 'refused' : running.has(status) ? 'running' : 'ended',
    succeeded: numberOr0(completed),
    failed: numberOr0(failed),
    total: numberOr0(total),
    createdAt: numberOr0(createdAt) * 1000,
    inputId: typeof batch['input_file_id'] === 'string' ? batch['input_file_id'] : '',
    resultIds: [output, errors].filter((id) => typeof id === 'string' && id !== '').map(String),
    reason: reasonIn(batch['errors']),
  }
}

function reasonIn(errors: unknown): string {
  const list = isObject(errors) && Array.isArray(errors['data']) ? errors['data'] : []
  const first: unknown = list[0]
  return isObject(first) && typeof first['message'] === 'string' ? first['message'] : ''
}

/** https://platform.openai.com/docs/api-reference/batch/request-output */
function readLine(value: unknown): BatchLineReport {
  const line = objectIn(value)
  const id = textIn(line, 'custom_id')
  const { response, error } = line
  if (isObject(error) && undone.has(error['code'])) return { id, kind: 'undone' }
  const { status_code: status = 500, body } = isObject(response) ? response : {}
  const isServed = typeof status === 'number' && status >= 200 && status < 300
  if (isServed && isObject(body)) return { id, kind: 'served', body }
  const shown = isObject(body) ? body : { error: isObject(error) ? error : {} }
  return { id, kind: 'failed', status: isServed || typeof status !== 'number' ? 500 : status, body: shown }
}

export function objectIn(value: unknown): JsonObject {
  if (!isObject(value)) throw new TypeError('The reply is not an object')
  return value
}

export function textIn(value: unknown, name: string): string {
  const text = objectIn(value)[name]
  if (typeof text !== 'string' || text === '') throw new TypeError(`The reply has no ${name}`)
  return text
}

export function listIn(body: unknown): JsonObject[] {
  const { data } = objectIn(body)
  if (!Array.isArray(data)) throw new TypeError('The reply has no list')
  return data.filter(isObject)
}

export const numberOr0 = (value: unknown): number => (typeof value === 'number' ? value : 0)
