import type { JsonObject } from '@tollgate/dialects'
import { droppedHeader, hasEnded } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { TaskRow } from '../../platform/store/tables'
import { ownTasks } from '../../tasks/task-store'
import { admitCaller, isLargeBody, requireBalance } from '../stages/admit'
import { inGroup, playgroundUser } from '../admission/playground'
import { checkRates, countSuccess, type RateRules } from '../admission/rate-limits'
import { readJsonBody, type BodyReader } from '../admission/read-body'
import { refusePipelined } from '../attempt/disconnect'
import { ownerOf, type Caller, type IncomingCall } from '../call'
import type { RelayDeps } from '../call-context'
import { callHeaders } from '../delivery/response-headers'
import { keyCaller } from '../stages/authenticate'
import type { TaskPlatformCalls } from './task-endpoint'
import { cancelTask } from '../../tasks/cancel-task'
import { readTerms } from '../../tasks/task-terms'

/**
 * Answers a call of a platform.
 * @throws AppError, DialectError, UpstreamError, which the platform's `failure` writes.
 */
export async function handleTaskCall(
  call: IncomingCall,
  { prefix, refusal, load }: TaskPlatformCalls,
  deps: RelayDeps,
): Promise<Response> {
  const refusedAs = refusal?.(call.catalog.options) ?? null
  const path = call.path.slice(0, maxPathLength)
  if (refusedAs !== null) throw new AppError(refusedAs, { params: { path } })
  const rest = call.path.replace(prefix, '')
  const found = (await load()).filter(({ path }) => path.test(rest))
  const [first] = found
  if (!first) throw new AppError('endpoint.unknown', { params: { path } })
  const endpoint = found.find(({ method }) => method === call.method)
  if (!endpoint) throw new AppError('endpoint.method', { params: { method: call.method, allowed: first.method } })
  const response = await endpoint.respond(call, deps, endpoint.path.exec(rest)?.[1] ?? '')
  for (const [name, value] of Object.entries(callHeaders(call))) response.headers.set(name, value)
  return response
}

const maxPathLength = 200

/** Authenticates and admits a submission, then submits it. Counts as one call for rate limits. */
export async function submitting<Result>(
  call: IncomingCall,
  deps: RelayDeps,
  submit: (caller: Caller, body: JsonObject) => Promise<Result>,
  readBody: BodyReader = readJsonBody,
): Promise<Result> {
  const begin = call.path.startsWith('/pg/') ? bySession : byKey
  // What is left of a body is needed until the task is submitted.
  using rooms = new DisposableStack()
  const { caller, rates, body } = await begin(call, deps, readBody, rooms)
  await refusePipelined(call.request, deps.ctx.timers)
  const result = await submit(caller, body)
  await countSuccess(deps.limiter, rates)
  return result
}

interface AdmittedCall {
  readonly caller: Caller
  readonly rates: RateRules
  readonly body: JsonObject
}

async function byKey(
  call: IncomingCall,
  deps: RelayDeps,
  readBody: BodyReader,
  rooms: DisposableStack,
): Promise<AdmittedCall> {
  const { ctx } = deps
  const caller = await keyCaller(call, deps)
  admitCaller(caller, call, ctx)
  const rates = await checkRates(call, caller, deps)
  if (isLargeBody(call.request)) await requireBalance(call, caller, ctx)
  const room = rooms.use(deps.inFlight.memory.open(caller.payer.userId))
  const { json } = await readBody(call.request, call.dialect, ctx, room)
  return { caller, rates, body: json }
}

/** The playground names its group in the body, and the group decides which rates apply. */
async function bySession(
  call: IncomingCall,
  deps: RelayDeps,
  readBody: BodyReader,
  rooms: DisposableStack,
): Promise<AdmittedCall> {
  const { ctx, inFlight } = deps
  const user = await playgroundUser(call, ctx)
  admitCaller(user, call, ctx)
  if (isLargeBody(call.request)) await requireBalance(call, user, ctx)
  const room = rooms.use(inFlight.memory.open(user.payer.userId))
  const { json } = await readBody(call.request, call.dialect, ctx, room)
  const caller = inGroup(user, json)
  admitCaller(caller, call, ctx)
  const rates = await checkRates(call, caller, deps)
  const { group: _group, ...body } = json
  return { caller, rates, body }
}

/** Admits a call that leaves work or files here before its body is read. Counts as one call for rate limits. */
export async function whenAdmitted<Result>(
  call: IncomingCall,
  deps: RelayDeps,
  work: (caller: Caller) => Promise<Result>,
): Promise<Result> {
  const { ctx, limiter } = deps
  const caller = await keyCaller(call, deps)
  admitCaller(caller, call, ctx)
  const rates = await checkRates(call, caller, deps)
  await requireBalance(call, caller, ctx)
  await refusePipelined(call.request, ctx.timers)
  const result = await work(caller)
  await countSuccess(limiter, rates)
  return result
}

/** Resolves with the caller of a call that reads tasks. A key without quota may still read what it paid for. */
export async function readingCaller(call: IncomingCall, deps: RelayDeps): Promise<Caller> {
  const caller = await keyCaller(call, deps)
  try {
    admitCaller(caller, call, deps.ctx)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'key.exhausted')) throw error
  }
  return caller
}

/** Resolves with a task of the caller, of any platform where none is named. @throws AppError `task.none`, also for tasks of others. */
export async function requireTask(
  id: string,
  platform: string | null,
  caller: Pick<Caller, 'account' | 'key'>,
  { ctx }: Pick<RelayDeps, 'ctx'>,
): Promise<TaskRow> {
  const [task] = await ownTasks(ctx.database.query, [id], { ...ownerOf(caller), platform })
  if (!task) throw new AppError('task.none', { params: { id: id.slice(0, maxIdLength) } })
  return task
}

/** Returns the header that says what the vendor of a task in the background could not be told of its request. */
export function droppedHeaders({ terms }: TaskRow): Record<string, string> {
  const { dropped } = readTerms(terms)
  return dropped === '' ? {} : { [droppedHeader]: dropped }
}

/** Characters of an id that an error quotes. */
export const maxIdLength = 64

/**
 * Cancels a task; a call that runs here learns of it at once.
 * @throws AppError, UpstreamError as `cancelTask`.
 */
export async function stopTask({ ctx, inFlight }: RelayDeps, row: TaskRow): Promise<void> {
  await cancelTask(ctx, row)
  await inFlight.background.renew(ctx)
}

/** The same for calls that may be repeated: a task that has ended, also in this moment, stays as it is. */
export async function stopUnlessEnded(deps: RelayDeps, row: TaskRow): Promise<void> {
  if (hasEnded(row)) return
  await stopTask(deps, row).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'task.ended')) throw error
  })
}
