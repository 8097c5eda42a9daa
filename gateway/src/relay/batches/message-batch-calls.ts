import { defaultOptions, hasEnded } from '@tollgate/contract'
import { DialectError, isObject, type JsonObject } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import { newResponseId } from '../../http/request/request-id'
import { byteStream } from '../../http/response/text-stream'
import { nextTurn } from '../../platform/time/timers'
import { endedStates, resultsOf } from '../../tasks/batches/batch-lines'
import { listBatches, ownBatch } from '../../tasks/batches/batch-store'
import { removeLines } from '../../tasks/batches/remove-batches'
import { removeTask } from '../../tasks/task-store'
import { readText } from '../admission/read-body'
import { ownerOf, type IncomingCall } from '../call'
import type { RelayDeps } from '../call-context'
import { readingCaller, whenAdmitted } from '../tasks/task-call'
import type { TaskEndpoint } from '../tasks/task-endpoint'
import { messageBatchObject } from './batch-object'
import { cancelBatch, requireBatch } from './own-batches'
import { elementsOf } from './split-requests'
import { createOnce } from '../tasks/create-once'
import { submitBatch, type SubmittedLine } from './submit-batch'

/** Anthropic's calls of batches. https://docs.claude.com/en/api/creating-message-batches */
export const messageBatchCalls: readonly TaskEndpoint[] = [
  { method: 'POST', path: /^$/, respond: create },
  { method: 'GET', path: /^$/, respond: list },
  { method: 'GET', path: /^\/([^/]+)$/, respond: retrieve },
  { method: 'DELETE', path: /^\/([^/]+)$/, respond: remove },
  { method: 'POST', path: /^\/([^/]+)\/cancel$/, respond: cancel },
  { method: 'GET', path: /^\/([^/]+)\/results$/, respond: results },
]

const dialect = 'anthropic'
const endpoint = '/v1/messages'

function create(call: IncomingCall, deps: RelayDeps): Promise<Response> {
  const { ctx, inFlight } = deps
  return whenAdmitted(call, deps, async (caller) => {
    using room = inFlight.memory.open(caller.payer.userId)
    const text = await readText(call.request, ctx, room)
    const creation = { name: 'POST /v1/messages/batches', input: text }
    return await createOnce(call, caller, deps, creation, async (mark) => {
      const submission = {
        id: newResponseId(ctx, 'msgbatch_'),
        dialect,
        endpoint,
        inputFileId: '',
        metadata: null,
        outputSeconds: null,
        lines: requestsIn(text),
        read: requestOf,
        refusesAtOnce: true,
      } as const
      return messageBatchObject(await submitBatch(call, caller, submission, deps, mark), siteOf(call))
    })
  })
}

async function* requestsIn(text: string): AsyncGenerator<SubmittedLine, void> {
  for (const element of elementsOf(text, 'requests')) {
    if (element === null) await nextTurn()
    else yield element
  }
}

/** @throws DialectError. */
function requestOf({ custom_id: id, params }: JsonObject) {
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id))
    throw new DialectError(
      'custom_id',
      'invalid_value',
      "Invalid 'custom_id': expected 1 to 64 letters, digits, hyphens and underscores.",
    )
  if (!isObject(params))
    throw new DialectError('params', 'missing_required_parameter', "Missing required parameter: 'params'.")
  return { custom_id: id, body: params }
}

const usualLimit = 20
const maxLimit = 1000

async function list(call: IncomingCall, deps: RelayDeps): Promise<Response> {
  const owner = ownerOf(await readingCaller(call, deps))
  const parameters = new URLSearchParams(call.query)
  const limit = Number(parameters.get('limit') ?? usualLimit)
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit)
    throw new DialectError('limit', 'invalid_value', `Invalid 'limit': expected a number from 1 to ${maxLimit}.`)
  const before = parameters.get('before_id')
  const cursor = before ?? parameters.get('after_id')
  const { query } = deps.ctx.database
  const after = cursor === null ? null : await ownBatch(query, cursor, owner, dialect)
  if (cursor !== null && after === null) throw new AppError('task.none', { params: { id: cursor.slice(0, 64) } })
  const found = await listBatches(query, { owner, dialect, limit, isAscending: before !== null, after })
  const page = found.slice(0, limit)
  const data = (before === null ? page : page.toReversed()).map((batch) => messageBatchObject(batch, siteOf(call)))
  return Response.json({
    data,
    has_more: found.length > limit,
    first_id: data[0]?.['id'] ?? null,
    last_id: data.at(-1)?.['id'] ?? null,
  })
}

async function retrieve(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  return Response.json(messageBatchObject(await requireBatch(call, deps, id, dialect), siteOf(call)))
}

async function cancel(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const batch = await cancelBatch(await requireBatch(call, deps, id, dialect), deps)
  return Response.json(messageBatchObject(batch, siteOf(call)))
}

async function remove(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const { ctx } = deps
  const { task } = await requireEnded(call, deps, id)
  await removeTask(ctx.database.query, task.id, ctx.clock.now())
  await removeLines(ctx.database.query, task.public_id)
  return Response.json({ id: task.public_id, type: 'message_batch_deleted' })
}

async function results(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const { ctx } = deps
  const { row } = await requireEnded(call, deps, id)
  const onFailure = (error: unknown) => ctx.log.warn({ error, batch: id }, 'results of a batch could not be read')
  const headers = { 'content-type': 'application/x-jsonl' }
  return new Response(byteStream(resultsOf(ctx, row, endedStates), onFailure), { headers })
}

/** @throws AppError `task.none`, `batch.unfinished`. */
async function requireEnded(call: IncomingCall, deps: RelayDeps, id: string) {
  const batch = await requireBatch(call, deps, id, dialect)
  if (!hasEnded(batch.task)) throw new AppError('batch.unfinished', { params: { id } })
  return batch
}

/** Returns the address of this site: as the operator set it, otherwise as the client calls it, to which its SDK sends the key again. */
function siteOf({ request, catalog }: IncomingCall): string {
  const { ServerAddress: address } = catalog.options
  if (address !== defaultOptions.ServerAddress) return address.replace(/\/$/, '')
  const { protocol, host } = new URL(request.url)
  return `${request.headers.get('x-forwarded-proto') === 'https' ? 'https:' : protocol}//${host}`
}
