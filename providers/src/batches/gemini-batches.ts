import { isObject, type JsonObject } from '@tollgate/dialects'

import { nameInPath } from '../urls'
import type { BatchApi, BatchLineReport, BatchTarget, VendorBatch } from './batch-api'
import { countOr0, idIn, listIn, objectIn, textOr } from './read-reply'

const boundary = 'tollgate-batch-8b0d53f6c1e2497a'
const listed = 100

const partOf = (contentType: string, text: string): string =>
  `--${boundary}\r\nContent-Type: ${contentType}\r\n\r\n${text}`

/** Names of batches and files are paths: `batches/123`. */
const pathOf = (name: string): string =>
  name
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/')

/**
 * Returns the batches of Google AI Studio, whose calls come in a file. `versionOf`: the version of the API from the channel's field. `modelOf`: the model
 * without what the channel adds to its name.
 * https://ai.google.dev/gemini-api/docs/batch-api, https://ai.google.dev/api/batch-api, https://ai.google.dev/api/files
 */
export function geminiBatches(versionOf: (other: string) => string, modelOf: (name: string) => string): BatchApi {
  const root = ({ baseUrl, other }: BatchTarget) => `${baseUrl}/${versionOf(other)}`
  const below = (prefix: string, { baseUrl, other }: BatchTarget) => `${baseUrl}/${prefix}/${versionOf(other)}`
  return {
    maxLines: 1_000_000,
    maxBytes: 2_000_000_000,
    paths: { gemini: ':generateContent' },
    writeLine: ({ id, body }) => `{"key":${JSON.stringify(id)},"request":${body}}`,
    frame: (name) => ({
      contentType: `multipart/related; boundary=${boundary}`,
      headers: { 'x-goog-upload-protocol': 'multipart' },
      head: `${partOf('application/json', JSON.stringify({ file: { displayName: name } }))}\r\n${partOf('application/jsonl', '')}`,
      between: '\n',
      tail: `\r\n--${boundary}--\r\n`,
    }),
    sendTo: (target) => `${below('upload', target)}/files`,
    files: {
      readId: (body) => idIn(objectIn(body)['file'], 'name'),
      search: {
        list: (target) => ({ method: 'GET', url: `${root(target)}/files?pageSize=${listed}` }),
        find: (body, name) =>
          listOf(body, 'files').flatMap((file) => (file['displayName'] === name ? [idIn(file, 'name')] : [])),
      },
      create: ({ id, name, model }, target) => ({
        method: 'POST',
        url: `${root(target)}/models/${nameInPath(modelOf(model))}:batchGenerateContent`,
        body: { batch: { displayName: name, inputConfig: { fileName: id } } },
      }),
    },
    list: (target) => ({ method: 'GET', url: `${root(target)}/batches?pageSize=${listed}` }),
    readList: (body) => listOf(body, 'operations').map(readBatch),
    retrieve: (id, target) => ({ method: 'GET', url: `${root(target)}/${pathOf(id)}` }),
    read: readBatch,
    cancel: (id, target) => ({ method: 'POST', url: `${root(target)}/${pathOf(id)}:cancel` }),
    results: ({ resultIds }, target) =>
      resultIds.map((id) => ({ method: 'GET', url: `${below('download', target)}/${pathOf(id)}:download?alt=media` })),
    readLine,
    remove: ({ id, inputId, resultIds }, target) =>
      [id, inputId, ...resultIds]
        .filter((name) => name !== '')
        .map((name) => ({ method: 'DELETE', url: `${root(target)}/${pathOf(name)}` })),
  }
}

/** Lists that are empty are left out. */
const listOf = (body: unknown, name: string): JsonObject[] => (name in objectIn(body) ? listIn(body, name) : [])

const states: Readonly<Record<string, VendorBatch['state']>> = {
  PENDING: 'running',
  RUNNING: 'running',
  SUCCEEDED: 'ended',
  CANCELLED: 'ended',
  EXPIRED: 'ended',
  FAILED: 'refused',
}

/** An operation, whose metadata are the batch. */
function readBatch(body: unknown): VendorBatch {
  const operation = objectIn(body)
  const { metadata, response, error } = operation
  const batch = objectIn(metadata)
  const state = states[textOr(batch['state']).replace(/^(?:BATCH|JOB)_STATE_/, '')]
  if (state === undefined) throw new TypeError(`Unknown state of a batch: ${String(batch['state'])}`)
  const stats = isObject(batch['batchStats']) ? batch['batchStats'] : {}
  const { inputConfig } = batch
  const output = isObject(batch['output']) ? batch['output'] : isObject(response) ? response : {}
  const results = textOr(output['responsesFile'])
  return {
    id: idIn(operation, 'name'),
    name: textOr(batch['displayName']),
    state,
    succeeded: countIn(stats, 'successfulRequestCount'),
    failed: countIn(stats, 'failedRequestCount'),
    total: countIn(stats, 'requestCount'),
    createdAt: Date.parse(textOr(batch['createTime'])) || 0,
    inputId: isObject(inputConfig) ? textOr(inputConfig['fileName']) : '',
    resultIds: results === '' ? [] : [results],
    reason: isObject(error) ? textOr(error['message']) : '',
  }
}

/** Counts are texts, as 64-bit numbers are in Google's JSON. */
const countIn = (stats: JsonObject, name: string): number => countOr0(Number(stats[name]))

/** A status has a number of gRPC or of HTTP. https://cloud.google.com/apis/design/errors */
const httpStatuses: Readonly<Record<number, number>> = {
  3: 400,
  4: 504,
  5: 404,
  7: 403,
  8: 429,
  9: 400,
  11: 400,
  13: 500,
  14: 503,
  16: 401,
}
const cancelled = 1

function readLine(value: unknown): BatchLineReport {
  const line = objectIn(value)
  const id = idIn(line, 'key')
  const { response, error } = line
  if (isObject(response)) return { id, kind: 'served', body: response }
  const { code = 13 } = objectIn(error)
  if (code === cancelled) return { id, kind: 'undone' }
  const number = Number(code)
  return { id, kind: 'failed', status: number >= 400 ? number : (httpStatuses[number] ?? 500), body: { error } }
}
