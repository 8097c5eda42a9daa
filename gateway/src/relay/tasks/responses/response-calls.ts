import { AppError } from '../../../platform/app-error'
import type { TaskRow } from '../../../platform/store/tables'
import { findTaskResponse, removeTaskResponse } from '../../../tasks/task-answers'
import { removeTask } from '../../../tasks/task-store'
import type { IncomingCall } from '../../call'
import type { RelayDeps } from '../../call-context'
import { droppedHeaders, readingCaller, requireTask, stopUnlessEnded } from '../task-call'
import type { TaskEndpoint } from '../task-endpoint'
import { responseObject } from './response-object'

/** OpenAI's calls for responses that are made in the background. https://platform.openai.com/docs/guides/background */
export const responseCalls: readonly TaskEndpoint[] = [
  { method: 'GET', path: /^\/([^/]+)$/, respond: retrieve },
  { method: 'DELETE', path: /^\/([^/]+)$/, respond: remove },
  { method: 'POST', path: /^\/([^/]+)\/cancel$/, respond: cancel },
]

async function retrieve(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  if (new URLSearchParams(call.query).get('stream') === 'true') throw new AppError('background.stream')
  const row = await responseOf(call, deps, id)
  const stored = row.status === 'SUCCESS' ? await findTaskResponse(deps.ctx, row.public_id) : null
  if (row.status === 'SUCCESS' && stored === null) throw new AppError('task.result_none', { params: { id } })
  return Response.json(responseObject(row, stored, call.language), { headers: droppedHeaders(row) })
}

/** The vendor's own is idempotent: a response that has ended is returned as it is. */
async function cancel(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const row = await responseOf(call, deps, id)
  await stopUnlessEnded(deps, row)
  return retrieve(call, deps, id)
}

/** One that still runs is stopped first. */
async function remove(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const { ctx } = deps
  const row = await responseOf(call, deps, id)
  await stopUnlessEnded(deps, row)
  await removeTask(ctx.database.query, row.id, ctx.clock.now())
  await removeTaskResponse(ctx, row.public_id)
  return Response.json({ id: row.public_id, object: 'response', deleted: true })
}

const responseOf = async (call: IncomingCall, deps: RelayDeps, id: string): Promise<TaskRow> =>
  requireTask(id, 'response', await readingCaller(call, deps), deps)
