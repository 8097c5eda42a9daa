import { isObject } from '@tollgate/dialects'

import type { BatchApi, BatchFiles, BatchLineReport, BatchTarget } from './batch-api'
import { idIn, listIn, objectIn } from './read-reply'

const boundary = 'tollgate-batch-4f1c9ac2d7e84b0f'
const fileName = (name: string): string => `${name}.jsonl`
const part = (headers: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${headers}\r\n\r\n`

/** Vendors' names for calls that were not made. https://platform.openai.com/docs/guides/batch#batch-expiration */
const undone: ReadonlySet<unknown> = new Set(['batch_expired', 'batch_cancelled'])

interface OpenAiFiles extends Pick<BatchApi, 'frame' | 'sendTo' | 'results' | 'readLine' | 'remove'> {
  readonly files: Omit<BatchFiles, 'create'>
}

/**
 * Returns what is the same at hosts with OpenAI's files, whatever their batches are like. `baseOf`: the address that `/files` follows. `latest`: the query
 * by which these are the latest ones, of which the one that is looked for was made within minutes.
 */
export function openAiFiles(baseOf: (target: BatchTarget) => string, latest: string): OpenAiFiles {
  const fileAt = (target: BatchTarget, id: string) => `${baseOf(target)}/files/${encodeURIComponent(id)}`
  return {
    frame: (name) => ({
      contentType: `multipart/form-data; boundary=${boundary}`,
      head: `${part('name="purpose"')}batch\r\n${part(`name="file"; filename="${fileName(name)}"\r\nContent-Type: application/jsonl`)}`,
      between: '\n',
      tail: `\r\n--${boundary}--\r\n`,
    }),
    sendTo: (target) => `${baseOf(target)}/files`,
    files: {
      readId: (body) => idIn(body, 'id'),
      search: {
        list: (target) => ({ method: 'GET', url: `${baseOf(target)}/files?purpose=batch&${latest}` }),
        find: (body, name) =>
          listIn(body).flatMap((file) => (file['filename'] === fileName(name) ? [idIn(file, 'id')] : [])),
      },
    },
    results: ({ resultIds }, target) =>
      resultIds.map((id) => ({ method: 'GET', url: `${fileAt(target, id)}/content` })),
    readLine,
    remove: ({ inputId, resultIds }, target) =>
      [inputId, ...resultIds].filter((id) => id !== '').map((id) => ({ method: 'DELETE', url: fileAt(target, id) })),
  }
}

/** https://platform.openai.com/docs/api-reference/batch/request-output */
function readLine(value: unknown): BatchLineReport {
  const line = objectIn(value)
  const id = idIn(line, 'custom_id')
  const { response, error } = line
  if (isObject(error) && undone.has(error['code'])) return { id, kind: 'undone' }
  const { status_code: status = 500, body } = isObject(response) ? response : {}
  const isServed = typeof status === 'number' && status >= 200 && status < 300
  if (isServed && isObject(body)) return { id, kind: 'served', body }
  const shown = isObject(body) ? body : { error: isObject(error) ? error : {} }
  return { id, kind: 'failed', status: isServed || typeof status !== 'number' ? 500 : status, body: shown }
}
