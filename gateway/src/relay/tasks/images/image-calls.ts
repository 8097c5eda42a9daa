import { findTaskResponse } from '../../../tasks/task-answers'
import type { IncomingCall } from '../../call'
import type { RelayDeps } from '../../call-context'
import { droppedHeaders, readingCaller, requireTask, stopUnlessEnded } from '../task-call'
import type { TaskEndpoint } from '../task-endpoint'
import { imageObject } from './image-object'

/** Calls about images that are made in the background, by what follows `/v1/images/generations` and `/v1/images/edits`. */
export const imageCalls: readonly TaskEndpoint[] = [
  { method: 'GET', path: /^\/([^/]+)$/, respond: retrieve },
  { method: 'POST', path: /^\/([^/]+)\/cancel$/, respond: cancel },
]

async function retrieve(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const row = await requireTask(id, 'image', await readingCaller(call, deps), deps)
  const stored = row.status === 'SUCCESS' ? await findTaskResponse(deps.ctx, row.public_id) : null
  return Response.json(imageObject(row, stored, call.language), { headers: droppedHeaders(row) })
}

async function cancel(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const row = await requireTask(id, 'image', await readingCaller(call, deps), deps)
  await stopUnlessEnded(deps, row)
  return retrieve(call, deps, id)
}
