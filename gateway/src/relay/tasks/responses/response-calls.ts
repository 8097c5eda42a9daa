import { hasEnded } from '@tollgate/contract'
import { DialectError, replayedStream } from '@tollgate/dialects'

import { AppError } from '../../../platform/app-error'
import type { TaskRow } from '../../../platform/store/tables'
import { findTaskResponse, removeTaskResponse } from '../../../tasks/task-answers'
import { ownTasks, removeTask } from '../../../tasks/task-store'
import { ownerOf, type IncomingCall } from '../../call'
import type { RelayDeps } from '../../call-context'
import { callHeaders, streamHeaders } from '../../delivery/response-headers'
import { inputItemList, minReadBytes, removeTurn, requireTurn } from '../../turns/stored-response'
import { droppedHeaders, readingCaller, stopUnlessEnded } from '../task-call'
import type { TaskEndpoint } from '../task-endpoint'
import { responseObject } from './response-object'

/**
 * OpenAI's calls for responses, which were made in the background or are stored as turns.
 * https://platform.openai.com/docs/api-reference/responses
 */
export const responseCalls: readonly TaskEndpoint[] = [
  { method: 'GET', path: /^\/([^/]+)$/, respond: retrieve },
  { method: 'DELETE', path: /^\/([^/]+)$/, respond: remove },
  { method: 'POST', path: /^\/([^/]+)\/cancel$/, respond: cancel },
  { method: 'GET', path: /^\/([^/]+)\/input_items$/, respond: listInputItems },
]

async function retrieve(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const parameters = new URLSearchParams(call.query)
  const startingAfter = readStartingAfter(parameters.get('starting_after'))
  const { owner, task } = await namedResponse(call, deps, id)
  const { response, headers } = task
    ? await responseOfTask(call, deps, task)
    : { response: (await requireTurn(owner, id, call, deps.ctx)).response, headers: {} }
  if (parameters.get('stream') !== 'true') return Response.json(response, { headers })
  if (task && !hasEnded(task)) throw new AppError('turn.stream')
  const stream = replayedStream(response, startingAfter)
  return new Response(stream, { headers: { ...streamHeaders(callHeaders(call)), ...headers } })
}

/** @throws DialectError */
function readStartingAfter(text: string | null): number {
  if (text === null) return -1
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new DialectError(
    'starting_after',
    'invalid_value',
    "Invalid 'starting_after': expected the number of an event.",
  )
}

async function responseOfTask(call: IncomingCall, deps: RelayDeps, row: TaskRow) {
  const stored = row.status === 'SUCCESS' ? await findTaskResponse(deps.ctx, row.public_id) : null
  if (row.status === 'SUCCESS' && stored === null)
    throw new AppError('task.result_none', { params: { id: row.public_id } })
  return { response: responseObject(row, stored, call.language), headers: droppedHeaders(row) }
}

/** The vendor's own is idempotent: a response that has ended is returned as it is. @throws AppError `turn.finished`. */
async function cancel(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const { owner, task } = await namedResponse(call, deps, id)
  if (!task) {
    await requireTurn(owner, id, call, deps.ctx)
    throw new AppError('turn.finished')
  }
  await stopUnlessEnded(deps, task)
  return retrieve(call, deps, id)
}

/** One that still runs is stopped first. */
async function remove(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const { ctx } = deps
  const { owner, task } = await namedResponse(call, deps, id)
  if (task) {
    await stopUnlessEnded(deps, task)
    await removeTask(ctx.database.query, task.id, ctx.clock.now())
    await removeTaskResponse(ctx, task.public_id)
  }
  const isRemoved = await removeTurn(owner, id, ctx)
  if (!task && !isRemoved) {
    await requireTurn(owner, id, call, ctx)
    await removeTurn(owner, id, ctx)
  }
  return Response.json({ id, object: 'response', deleted: true })
}

async function listInputItems(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const caller = await readingCaller(call, deps)
  const owner = ownerOf(caller)
  using room = deps.inFlight.memory.open(caller.payer.userId)
  room.take(minReadBytes)
  const turn = await requireTurn(owner, id, call, deps.ctx)
  return Response.json(await inputItemList(turn, owner, call.query, { ...deps.ctx, room }))
}

/** Resolves with whose responses a call may name, and with the task of one that was made in the background. */
async function namedResponse(call: IncomingCall, deps: RelayDeps, id: string) {
  const owner = ownerOf(await readingCaller(call, deps))
  const [task] = await ownTasks(deps.ctx.database.query, [id], { ...owner, platform: 'response' })
  return { owner, task }
}
