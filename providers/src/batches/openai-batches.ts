import { isObject } from '@tollgate/dialects'

import type { BatchApi, BatchTarget, VendorBatch } from './batch-api'
import { openAiFiles } from './openai-files'
import { countOr0, idIn, listIn, objectIn, textOr } from './read-reply'

const batchesListed = 100

const running: ReadonlySet<unknown> = new Set(['validating', 'in_progress', 'finalizing', 'cancelling'])
const ended: ReadonlySet<unknown> = new Set(['completed', 'expired', 'cancelled'])

/** Returns batches in OpenAI's form. `baseOf`: the address that `/files` and `/batches` follow. */
export function openAiBatches(baseOf: (target: BatchTarget) => string): BatchApi {
  const { files, ...others } = openAiFiles(baseOf, 'limit=1000&order=desc')
  const batchAt = (target: BatchTarget, id: string) => `${baseOf(target)}/batches/${encodeURIComponent(id)}`
  return {
    ...others,
    maxLines: 50_000,
    maxBytes: 200_000_000,
    // https://platform.openai.com/docs/api-reference/batch/create
    paths: {
      'openai-responses': '/v1/responses',
      'openai-chat': '/v1/chat/completions',
      'openai-embeddings': '/v1/embeddings',
      'openai-completions': '/v1/completions',
      'openai-moderations': '/v1/moderations',
    },
    writeLine: ({ id, path, body }) =>
      `{"custom_id":${JSON.stringify(id)},"method":"POST","url":${JSON.stringify(path)},"body":${body}}`,
    files: {
      ...files,
      create: ({ id, path, name }, target) => ({
        method: 'POST',
        url: `${baseOf(target)}/batches`,
        body: { input_file_id: id, endpoint: path, completion_window: '24h', metadata: { tollgate_batch: name } },
      }),
    },
    list: (target) => ({ method: 'GET', url: `${baseOf(target)}/batches?limit=${batchesListed}` }),
    readList: (body) => listIn(body).map(readBatch),
    retrieve: (id, target) => ({ method: 'GET', url: batchAt(target, id) }),
    read: readBatch,
    cancel: (id, target) => ({ method: 'POST', url: `${batchAt(target, id)}/cancel` }),
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
    id: idIn(batch, 'id'),
    name: '',
    state: status === 'failed' ? 'refused' : running.has(status) ? 'running' : 'ended',
    succeeded: countOr0(completed),
    failed: countOr0(failed),
    total: countOr0(total),
    createdAt: countOr0(createdAt) * 1000,
    inputId: textOr(batch['input_file_id']),
    resultIds: [textOr(output), textOr(errors)].filter((id) => id !== ''),
    reason: reasonIn(batch['errors']),
  }
}

function reasonIn(errors: unknown): string {
  const list = isObject(errors) && Array.isArray(errors['data']) ? errors['data'] : []
  const first: unknown = list[0]
  return isObject(first) ? textOr(first['message']) : ''
}
