import { isObject, type JsonObject } from '@tollgate/dialects'
import { taskProtocolOf } from '@tollgate/providers'

import { AppError } from '../../../platform/app-error'
import type { TaskRow } from '../../../platform/store/tables'
import { drawingShape, type ShownAt } from '../../../tasks/drawing-shape'
import { accountOf } from '../../../tasks/task-account'
import { ownTasks, taskByPublicId, readObject } from '../../../tasks/task-store'
import { callVendor, taskTarget } from '../../../tasks/vendor-call'
import { checkRates, countSuccess } from '../../admission/rate-limits'
import { readJsonBody } from '../../admission/read-body'
import { ownerOf, type Caller, type IncomingCall } from '../../call'
import type { RelayDeps } from '../../call-context'
import { maxIdLength, readingCaller, requireTask, submitting } from '../task-call'
import type { TaskEndpoint } from '../task-endpoint'
import { submitTask } from '../submit-task'
import { contentOf } from '../task-content'
import { readDrawing, type DrawingRequest } from './drawing-request'
import { webhookOf, writeAction, type TaskOrder } from '../task-order'

/** The public calls of midjourney-proxy, by what follows `/mj/`. */
export const drawingCalls: readonly TaskEndpoint[] = [
  { method: 'POST', path: /^(submit\/[a-z-]+|insight-face\/swap)$/, respond: submitDrawing },
  { method: 'GET', path: /^task\/([^/]+)\/fetch$/, respond: fetchDrawing },
  { method: 'GET', path: /^task\/([^/]+)\/image-seed$/, respond: seedOfDrawing },
  { method: 'POST', path: /^task\/list-by-condition$/, respond: listDrawings },
  { method: 'GET', path: /^image\/([^/]+)$/, respond: drawingImage },
]

async function submitDrawing(call: IncomingCall, deps: RelayDeps, operation: string): Promise<Response> {
  const { options } = call.catalog
  requireDrawing(call)
  const task = await submitting(call, deps, async (caller, body) => {
    const request = readDrawing(operation, body, options)
    const origin = request.originId === null ? null : await originOf(request, request.originId, caller, call, deps)
    return submitTask(call, caller, drawingOrder(request, origin, call), deps)
  })
  return Response.json(submissionShape(task))
}

/** Reading and submitting are closed together; pictures stay, for the log. */
function requireDrawing({ catalog: { options } }: IncomingCall): void {
  if (!options.DrawingEnabled) throw new AppError('drawing.off')
}

/** Resolves with the task that a submission goes on from. A dialog is answered before anything is finished. */
async function originOf(
  { action }: DrawingRequest,
  id: string,
  caller: Caller,
  { catalog: { options } }: IncomingCall,
  deps: RelayDeps,
): Promise<TaskRow> {
  const origin = await requireTask(id, 'mj', caller, deps)
  const isFinished = origin.status === 'SUCCESS' || action === 'MODAL' || !options.MjActionCheckSuccessEnabled
  if (!isFinished || origin.vendor_id === '')
    throw new AppError('drawing.unfinished', { params: { id: origin.public_id } })
  return origin
}

async function fetchDrawing(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  requireDrawing(call)
  const task = await requireTask(id, 'mj', await readingCaller(call, deps), deps)
  return Response.json(drawingShape(task, shownAt(call)))
}

/** More than any client shows at once. */
const maxListed = 500

/** Unknown ids, and those of others, are left out. */
async function listDrawings(call: IncomingCall, deps: RelayDeps): Promise<Response> {
  requireDrawing(call)
  const caller = await readingCaller(call, deps)
  using room = deps.inFlight.memory.open(caller.payer.userId)
  const { json } = await readJsonBody(call.request, call.dialect, deps.ctx, room)
  const { ids } = json
  if (!Array.isArray(ids) || ids.length > maxListed)
    throw new AppError('task.field_invalid', { params: { field: 'ids' } })
  const tasks = await ownTasks(deps.ctx.database.query, ids.map(String), { ...ownerOf(caller), platform: 'mj' })
  return Response.json(tasks.map((task) => drawingShape(task, shownAt(call))))
}

/** Only the proxy knows the seed, so this counts as a call for rate limits, other than reading a task. */
async function seedOfDrawing(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  requireDrawing(call)
  const { ctx, limiter } = deps
  const caller = await readingCaller(call, deps)
  const task = await requireTask(id, 'mj', caller, deps)
  const rates = await checkRates(call, caller, deps)
  const account = accountOf(ctx, task)
  if (!account || task.vendor_id === '') throw new AppError('route.no_channel', { params: taskParams(task) })
  const target = taskTarget(ctx, account)
  const protocol = taskProtocolOf(account.channel.provider, 'mj', target)
  const question = protocol?.seed?.(task.vendor_id, target)
  if (!protocol || !question) throw new AppError('endpoint.unsupported', { params: taskParams(task) })
  const { status, body } = await callVendor(ctx, account, protocol, question)
  const { code, description, result } = isObject(body) ? body : {}
  if (status >= 300 || code !== 1) throw new AppError('upstream.failed', { params: { status } })
  await countSuccess(limiter, rates)
  return Response.json({ code, description, result })
}

/** A picture needs no key, as on any page: its id cannot be guessed. */
async function drawingImage(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const task = await taskByPublicId(deps.ctx.database.query, id)
  if (task?.platform !== 'mj' || task.deleted_at !== null)
    throw new AppError('task.none', { params: { id: id.slice(0, maxIdLength) } })
  return contentOf(task, { kind: 'image', index: 0 }, call, deps)
}

const taskParams = ({ model, group }: TaskRow) => ({ model, group })

const shownAt = ({ catalog: { options }, language, request }: IncomingCall): ShownAt => ({
  site: siteOf(options.ServerAddress, request),
  isForwarded: options.MjForwardUrlEnabled,
  language,
})

/** Until the operator sets the site's address, it is the one that the client uses. */
function siteOf(address: string, request: Request): string {
  const isSet = URL.canParse(address) && !/^(?:localhost|127\.|\[::1\])/.test(new URL(address).hostname)
  return isSet ? address : new URL(request.url).origin
}

/** Returns what a drawing is to the engine. The account of the task that it goes on from makes it. */
const drawingOrder = (
  request: DrawingRequest,
  origin: TaskRow | null,
  { catalog: { options }, language }: Pick<IncomingCall, 'catalog' | 'language'>,
): TaskOrder => ({
  platform: 'mj',
  action: request.action,
  model: request.model,
  prompt: request.prompt || (origin?.prompt ?? ''),
  // The hook is called long after this call.
  request: { state: request.state, language },
  webhook: options.MjNotifyEnabled ? webhookOf(request.notifyHook) : '',
  accepts: () => ({}),
  write(provider, target) {
    const { action, body } = request
    const callbackUrl = options.MjNotifyEnabled ? target.callbackUrl : null
    return writeAction('mj', { action, body, origin }, provider, { ...target, callbackUrl })
  },
  ...(origin && { origin }),
})

/** Returns the response to a submission, as midjourney-proxy writes it. */
function submissionShape(task: TaskRow): JsonObject {
  const { submission } = readObject(task.data)
  const { description, properties, result } = isObject(submission) ? submission : {}
  return {
    code: task.status === 'MODAL' ? codes.waits : codes.submitted,
    description: typeof description === 'string' && description !== '' ? description : 'Submit success',
    result: Array.isArray(result) ? result : task.public_id,
    properties: isObject(properties) ? properties : {},
  }
}

/** `waits`: clients answer it with what the dialog asks, as a modal. */
const codes = { submitted: 1, waits: 21 } as const
