import { DialectError, isObject, type JsonObject } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import { newResponseId } from '../../http/request/request-id'
import type { FileRow } from '../../platform/store/tables'
import { ownFile } from '../../tasks/files/file-store'
import { linesOf, readFile } from '../../tasks/files/read-file'
import { listBatches, ownBatch, type Batch } from '../../tasks/batches/batch-store'
import { maxLineBytes } from '../files/upload'
import { readJsonBody } from '../admission/read-body'
import { ownerOf, type Caller, type IncomingCall } from '../call'
import type { RelayDeps } from '../call-context'
import { endpointAt } from '../stages/endpoint'
import { readMetadata } from '../tasks/read-metadata'
import { createOnce } from '../tasks/create-once'
import { readingCaller, submitting } from '../tasks/task-call'
import type { TaskEndpoint } from '../tasks/task-endpoint'
import { batchObject } from './batch-object'
import { cancelBatch, requireBatch } from './own-batches'
import { submitBatch, type SubmittedLine } from './submit-batch'

/** OpenAI's calls of batches. https://platform.openai.com/docs/api-reference/batch */
export const batchCalls: readonly TaskEndpoint[] = [
  { method: 'POST', path: /^$/, respond: create },
  { method: 'GET', path: /^$/, respond: list },
  { method: 'GET', path: /^\/([^/]+)$/, respond: retrieve },
  { method: 'POST', path: /^\/([^/]+)\/cancel$/, respond: cancel },
]

const dialect = 'openai'
const endpoints: ReadonlySet<string> = new Set([
  '/v1/responses',
  '/v1/chat/completions',
  '/v1/embeddings',
  '/v1/completions',
  '/v1/moderations',
  '/v1/images/generations',
])

function create(call: IncomingCall, deps: RelayDeps): Promise<Response> {
  return submitting(
    call,
    deps,
    (caller, body) => {
      const creation = { name: 'POST /v1/batches', input: JSON.stringify(body) }
      return createOnce(call, caller, deps, creation, async (mark) => {
        const { file, endpoint, metadata, outputSeconds } = await readSubmission(body, caller, deps)
        const submission = {
          id: newResponseId(deps.ctx, 'batch_'),
          dialect,
          endpoint,
          inputFileId: file.public_id,
          metadata,
          outputSeconds,
          lines: linesIn(file, deps),
          read: (line: JsonObject) => requestOf(line, endpoint),
        } as const
        return batchObject(await submitBatch(call, caller, submission, deps, mark))
      })
    },
    readJsonBody,
  )
}

async function readSubmission(body: JsonObject, caller: Caller, { ctx }: RelayDeps) {
  const { input_file_id: fileId, endpoint, completion_window: window, metadata, output_expires_after: expiry } = body
  if (typeof fileId !== 'string') throw missing('input_file_id')
  if (typeof endpoint !== 'string') throw missing('endpoint')
  if (!endpoints.has(endpoint) || !endpointAt(endpoint))
    throw invalid('endpoint', `expected one of ${[...endpoints].join(', ')}`)
  if (window !== '24h') throw invalid('completion_window', 'expected 24h')
  const file = await ownFile(ctx.database.query, fileId, ownerOf(caller), ctx.clock.seconds())
  if (!file) throw new AppError('file.none', { params: { id: fileId.slice(0, 64) } })
  if (file.purpose !== 'batch') throw invalid('input_file_id', 'expected a file with the purpose batch')
  return { file, endpoint, metadata: readMetadata(metadata), outputSeconds: readExpiry(expiry) }
}

const minExpirySeconds = 3600
const maxExpirySeconds = 30 * 86_400

function readExpiry(expiry: unknown): number | null {
  if (expiry === undefined || expiry === null) return null
  const seconds = isObject(expiry) && expiry['anchor'] === 'created_at' ? Number(expiry['seconds']) : NaN
  if (!Number.isInteger(seconds) || seconds < minExpirySeconds || seconds > maxExpirySeconds)
    throw invalid(
      'output_expires_after',
      `expected the anchor created_at and ${minExpirySeconds} to ${maxExpirySeconds} seconds`,
    )
  return seconds
}

async function* linesIn(file: FileRow, { ctx }: RelayDeps): AsyncGenerator<SubmittedLine, void> {
  yield* linesOf(readFile(ctx, file), maxLineBytes)
}

/** https://platform.openai.com/docs/api-reference/batch/request-input @throws DialectError. */
function requestOf({ custom_id: id, method, url, body }: JsonObject, endpoint: string) {
  if (typeof id !== 'string' || id === '') throw missing('custom_id')
  if (method !== 'POST') throw invalid('method', 'expected POST')
  if (url !== endpoint) throw invalid('url', `expected ${endpoint}, as the batch says`)
  if (!isObject(body)) throw missing('body')
  return { custom_id: id, body }
}

const usualLimit = 20
const maxLimit = 100

async function list(call: IncomingCall, deps: RelayDeps): Promise<Response> {
  const owner = ownerOf(await readingCaller(call, deps))
  const parameters = new URLSearchParams(call.query)
  const limit = Number(parameters.get('limit') ?? usualLimit)
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit)
    throw invalid('limit', `expected a number from 1 to ${maxLimit}`)
  const cursor = parameters.get('after')
  const { query } = deps.ctx.database
  const after = cursor === null ? null : await ownBatch(query, cursor, owner, dialect)
  if (cursor !== null && after === null) throw invalid('after', 'there is no such batch')
  const found = await listBatches(query, { owner, dialect, limit, isAscending: false, after })
  const data = found.slice(0, limit).map(batchObject)
  return Response.json({
    object: 'list',
    data,
    first_id: data[0]?.['id'] ?? null,
    last_id: data.at(-1)?.['id'] ?? null,
    has_more: found.length > limit,
  })
}

async function retrieve(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  return Response.json(batchObject(await own(call, deps, id)))
}

async function cancel(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  return Response.json(batchObject(await cancelBatch(await own(call, deps, id), deps)))
}

const own = (call: IncomingCall, deps: RelayDeps, id: string): Promise<Batch> => requireBatch(call, deps, id, dialect)

const missing = (name: string): DialectError =>
  new DialectError(name, 'missing_required_parameter', `Missing required parameter: '${name}'.`)

const invalid = (name: string, expected: string): DialectError =>
  new DialectError(name, 'invalid_value', `Invalid '${name}': ${expected}.`)
