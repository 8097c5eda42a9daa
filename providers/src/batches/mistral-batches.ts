import { isObject } from '@tollgate/dialects'

import type { BatchApi, BatchTarget, VendorBatch } from './batch-api'
import { openAiFiles } from './openai-files'
import { countOr0, idIn, listIn, objectIn, textOr } from './read-reply'

const jobsListed = 100

/** Returns Mistral's batches, of files in OpenAI's form. https://docs.mistral.ai/capabilities/batch */
export function mistralBatches(): BatchApi {
  const base = ({ baseUrl }: BatchTarget) => `${baseUrl}/v1`
  const { files, ...others } = openAiFiles(base, 'page_size=1000')
  const jobAt = (target: BatchTarget, id: string) => `${base(target)}/batch/jobs/${encodeURIComponent(id)}`
  return {
    ...others,
    maxLines: 1_000_000,
    maxBytes: 512_000_000,
    paths: {
      'openai-chat': '/v1/chat/completions',
      'openai-embeddings': '/v1/embeddings',
      'openai-moderations': '/v1/moderations',
    },
    writeLine: ({ id, body }) => `{"custom_id":${JSON.stringify(id)},"body":${body}}`,
    files: {
      ...files,
      create: ({ id, path, name, model }, target) => ({
        method: 'POST',
        url: `${base(target)}/batch/jobs`,
        body: { input_files: [id], endpoint: path, model, timeout_hours: 24, metadata: { tollgate_batch: name } },
      }),
    },
    list: (target) => ({ method: 'GET', url: `${base(target)}/batch/jobs?page_size=${jobsListed}` }),
    readList: (body) => listIn(body).map(readJob),
    retrieve: (id, target) => ({ method: 'GET', url: jobAt(target, id) }),
    read: readJob,
    cancel: (id, target) => ({ method: 'POST', url: `${jobAt(target, id)}/cancel` }),
  }
}

const states: Readonly<Record<string, VendorBatch['state']>> = {
  QUEUED: 'running',
  RUNNING: 'running',
  CANCELLATION_REQUESTED: 'running',
  SUCCESS: 'ended',
  TIMEOUT_EXCEEDED: 'ended',
  CANCELLED: 'ended',
  FAILED: 'refused',
}

/** https://docs.mistral.ai/api/endpoint/batch */
function readJob(body: unknown): VendorBatch {
  const job = objectIn(body)
  const { status, input_files: inputs, created_at: createdAt } = job
  const state = states[textOr(status)]
  if (state === undefined) throw new TypeError(`Unknown state of a batch: ${String(status)}`)
  const errors: unknown[] = Array.isArray(job['errors']) ? job['errors'] : []
  const [first] = errors
  const resultIds = [textOr(job['output_file']), textOr(job['error_file'])].filter((id) => id !== '')
  return {
    id: idIn(job, 'id'),
    name: '',
    // What was made before a failure has results.
    state: state === 'refused' && resultIds.length > 0 ? 'ended' : state,
    succeeded: countOr0(job['succeeded_requests']),
    failed: countOr0(job['failed_requests']),
    total: countOr0(job['total_requests']),
    createdAt: countOr0(createdAt) * 1000,
    inputId: Array.isArray(inputs) ? textOr(inputs[0]) : '',
    resultIds,
    reason: isObject(first) ? textOr(first['message']) : '',
  }
}
