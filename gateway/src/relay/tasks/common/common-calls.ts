import { isObject } from '@tollgate/dialects'

import { AppError } from '../../../platform/app-error'
import { shownText } from '../../../platform/locales/sentence'
import { parsedJson } from '../../../platform/text/parsed-json'
import type { TaskRow } from '../../../platform/store/tables'
import { isCallback } from '../../../tasks/callback-url'
import { pollTaskNow } from '../../../tasks/claim-tasks'
import { readResults } from '../../../tasks/task-store'
import { taskView } from '../../../tasks/task-view'
import { readBeginning } from '@tollgate/http-client'
import { ownerOf, type IncomingCall } from '../../call'
import type { RelayDeps } from '../../call-context'
import { maxIdLength, readingCaller, requireTask, stopTask } from '../task-call'
import { contentAt } from '../task-content'
import type { TaskEndpoint } from '../task-endpoint'
import { findTasks, readTaskPage } from './find-tasks'
import { taskEvents } from './task-events'

/** What can be done with tasks of all platforms, by what follows `/v1/tasks`. */
export const commonCalls: readonly TaskEndpoint[] = [
  { method: 'GET', path: /^$/, respond: list },
  { method: 'GET', path: /^\/([^/]+)$/, respond: read },
  { method: 'POST', path: /^\/([^/]+)\/cancel$/, respond: cancel },
  { method: 'GET', path: /^\/([^/]+)\/events$/, respond: events },
  { method: 'GET', path: /^\/([^/]+)\/results\/\d{1,4}$/, respond: result },
  { method: 'POST', path: /^\/([^/]+)\/callback\/[^/]+$/, respond: callback },
]

const toView = (row: TaskRow, { language }: IncomingCall) => {
  const { fail_reason: reason, ...view } = taskView(row)
  return { ...view, fail_reason: shownText(reason, language) }
}

async function list(call: IncomingCall, deps: RelayDeps): Promise<Response> {
  const owner = ownerOf(await readingCaller(call, deps))
  const { rows, hasMore } = await findTasks(deps.ctx.database.query, owner, readTaskPage(call.query))
  return Response.json({ object: 'list', data: rows.map((row) => toView(row, call)), has_more: hasMore })
}

async function read(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  return Response.json(toView(await taskOf(call, deps, id), call))
}

async function cancel(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  await stopTask(deps, await taskOf(call, deps, id))
  return read(call, deps, id)
}

async function events(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const { account } = await readingCaller(call, deps)
  const poll = () => taskOf(call, deps, id)
  return taskEvents({ userId: account.id, poll, toView: (row) => toView(row, call) }, call, deps)
}

async function result(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const row = await taskOf(call, deps, id)
  return contentAt(row, readResults(row)[Number(call.path.slice(call.path.lastIndexOf('/') + 1))], call, deps)
}

/**
 * The body of a callback is ignored: its address alone makes the next poll due. Only the challenge by which a vendor tries the address before
 * it uses it is repeated: https://platform.minimax.io/docs/api-reference/video-generation-t2v
 */
async function callback(call: IncomingCall, { ctx }: RelayDeps, id: string): Promise<Response> {
  const signature = call.path.slice(call.path.lastIndexOf('/') + 1)
  if (!isCallback(ctx, id, signature)) throw new AppError('task.none', { params: { id: id.slice(0, maxIdLength) } })
  const challenge = await challengeIn(call.request)
  if (challenge !== null) return Response.json({ challenge })
  await pollTaskNow(ctx, id)
  return Response.json({ code: 1, description: 'success' })
}

const maxCallbackBytes = 65_536

/** A body that is longer than any challenge is cut off, and is not one then. */
async function challengeIn(request: Request): Promise<string | null> {
  const json = parsedJson((await readBeginning(request, maxCallbackBytes)).toString('utf8'))
  const challenge = isObject(json) ? json['challenge'] : undefined
  return typeof challenge === 'string' ? challenge : null
}

const taskOf = async (call: IncomingCall, deps: RelayDeps, id: string): Promise<TaskRow> =>
  requireTask(id, null, await readingCaller(call, deps), deps)

/** A field that the task needs is not there. */
export const missingField = (field: string): AppError => new AppError('task.field_missing', { params: { field } })
