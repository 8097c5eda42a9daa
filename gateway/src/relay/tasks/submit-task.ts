import { taskProtocolOf, type Accepted, type TaskProtocol } from '@tollgate/providers'

import { AppError } from '../../platform/app-error'
import { UpstreamError } from '../../channels/calls/upstream-error'
import type { LimitWindow } from '../../billing/ledger/window/limit-window'
import type { Choice } from '../../channels/catalog/catalog'
import { windowsOf } from '../../channels/catalog/channel-windows'
import { newResponseId } from '../../http/request/request-id'
import type { TaskRow } from '../../platform/store/tables'
import { acceptTask, beginTask } from '../../tasks/begin-task'
import { callbackUrlOf } from '../../tasks/callback-url'
import { failTask } from '../../tasks/end-task'
import { accountOf } from '../../tasks/task-account'
import { taskByPublicId } from '../../tasks/task-store'
import { taskHold } from '../../tasks/task-charge'
import type { TaskTerms } from '../../tasks/task-terms'
import { callVendor, submitToVendor, taskTarget, type TaskAccount } from '../../tasks/vendor-call'
import { admitModel } from '../stages/admit'
import { Attempts } from '../stages/attempt'
import { attemptWindows } from '../attempt/attempt-windows'
import { FinalError } from '../attempt/final-error'
import { adminInfo, type AttemptRecord } from '../call-log'
import type { Caller, IncomingCall } from '../call'
import type { Context } from '../../context'
import { chooseModel, type ChoosingCall } from '../admission/model-choice'
import { payInTurn } from '../admission/payers'
import { noteWindows } from '../admission/rate-standings'
import { takeOrGoOn } from '../admission/window-fallback'
import type { RelayDeps } from '../call-context'
import { Departure } from '../departure'
import { refusePaidWords } from '../content-policy/forbidden-words'
import { reportFailure } from '../errors/report-failure'
import { failReason } from '../errors/failure'
import { initialTerms, submitterOf, type TaskOrder } from './task-order'
import { taskQuote, upstreamName, type TaskQuote } from './task-quote'

/** The parts of one submission. */
interface Submission {
  readonly call: IncomingCall
  readonly caller: Caller
  readonly order: TaskOrder
  readonly deps: RelayDeps
  readonly publicId: string
}

/** A vendor that accepted the task. */
interface Taken {
  readonly isProven: true
  readonly account: TaskAccount
  readonly protocol: TaskProtocol
  readonly accepted: Accepted
}

/**
 * Submits a task: holds what it may cost, then tries the channels as for any call until a vendor accepts it. Resolves with the task.
 * @throws AppError, UpstreamError: nothing is held then, and the task says why it failed.
 */
export async function submitTask(
  call: IncomingCall,
  caller: Caller,
  named: TaskOrder,
  deps: RelayDeps,
): Promise<TaskRow> {
  const { ctx } = deps
  call.findings.model = named.model
  admitModel(caller, named.model)
  const order = atServedModel(call, caller, named, ctx)
  const started = await takeOrGoOn(
    call,
    { caller, model: order.model },
    {
      quote: (requested) => taskQuote(call, requested.caller, { ...order, model: requested.model }, deps),
      take: (requested, quote) =>
        begin({ call, caller: requested.caller, order: { ...order, model: requested.model }, deps }, quote),
      choose: (name) => chooseModel(name, choosingTask(call, caller), ctx),
      isModelFixed: !order.isModelChosen,
    },
    ctx.clock,
  )
  const { submission, quote, terms } = started
  const { publicId } = submission
  const records: AttemptRecord[] = []
  try {
    const taken = await takenBy(submission, quote, records)
    const { account, protocol, accepted } = taken
    const attempted = adminInfo(records).attempts
    const row = await acceptTask(ctx, publicId, {
      account,
      protocol,
      accepted,
      terms: {
        ...terms,
        ...quote.termsAt(account),
        // What answers the dialog is charged.
        ...(accepted.report?.status === 'modal' && { sale: null, cost: null }),
        attempts: attempted.map((one) => ({ ...one, reason: one.reason ?? '' })),
      },
    })
    if (row) return row
    await giveUp(ctx, taken)
    throw new AppError('upstream.timeout', { params: { status: 504 } })
  } catch (error) {
    const row = await taskByPublicId(ctx.database.query, publicId)
    if (row) await failTask(ctx, row, failReason(error, records.at(-1)?.status))
    throw error
  }
}

/** A task that was started: what it may cost is held. */
interface StartedTask {
  readonly submission: Submission
  readonly quote: TaskQuote
  readonly terms: TaskTerms
}

/** @throws AppError of the `quota.` family, `request.sensitive_words`. */
async function begin(requested: Omit<Submission, 'publicId'>, quote: TaskQuote): Promise<StartedTask> {
  const { call, caller, order, deps } = requested
  const { ctx } = deps
  const { texts = [order.prompt] } = order
  await refusePaidWords({ ...call, texts }, { caller, amount: quote.amount }, ctx)
  const submission = { ...requested, publicId: newResponseId(ctx, 'task_') }
  const terms = initialTerms(call, caller, order.webhook ?? '')
  const task = newTask(submission, terms, quote.submittedAt)
  await payInTurn({ caller, model: quote.model, clock: ctx.clock }, async (payer) => {
    await beginTask(ctx, task, payer, quote.amount)
    noteWindows(call, payer, ctx)
  })
  return { submission, quote, terms }
}

/** Returns an order with the model that an alias stands for. A vendor that may have accepted a task has it: there is no other to go on with. */
function atServedModel(call: IncomingCall, caller: Caller, order: TaskOrder, ctx: Context): TaskOrder {
  if (!order.isModelChosen) return order
  const { model } = chooseModel(order.model, choosingTask(call, caller), ctx)
  return model === order.model ? order : { ...order, model }
}

const choosingTask = ({ catalog }: IncomingCall, caller: Caller): ChoosingCall => ({
  caller,
  catalog,
  promptTokens: 0,
  has: () => false,
  sessionOf: () => null,
})

/** A submission that takes longer has lost its worker. */
const graceMs = 120_000

const newTask = ({ caller, order, deps: { ctx }, publicId }: Submission, terms: TaskTerms, submittedAt: number) => ({
  publicId,
  platform: order.platform,
  action: order.action,
  model: order.model,
  ...submitterOf(caller),
  prompt: order.prompt,
  request: order.request,
  terms,
  submittedAt,
  submittedBy: submittedAt + ctx.config.requestTimeoutMs + graceMs,
})

/** Resolves with the vendor that accepts the task. A client that disconnects changes nothing: a vendor may have accepted it already. */
async function takenBy(submission: Submission, quote: TaskQuote, records: AttemptRecord[]): Promise<Taken> {
  const { call, caller, order, deps } = submission
  const { ctx, keyTurns } = deps
  if (order.origin) return takenByOrigin(submission, quote, order.origin)
  const request = {
    caller,
    catalog: call.catalog,
    model: order.model,
    mode: order.platform,
    promptTokens: 0,
    departure: Departure.withoutConnection(caller.payer),
    deadline: call.startedAt + ctx.config.requestTimeoutMs,
    unpriced: quote.unpriced,
  }
  const windows = attemptWindows(call.catalog, ctx.ledger, (windows, choice) =>
    admitTo(submission, quote, { windows, account: accountAt(choice) }),
  )
  const { clock, random, health, metrics } = ctx
  const failures = new FinalError()
  const open = (choice: Choice) => submitTo(submission, accountAt(choice))
  const attempts = new Attempts(request, open, { clock, random, health, metrics, keyTurns, windows })
  for (let outcome = await attempts.next(); outcome; outcome = await attempts.next()) {
    records.push(outcome.record)
    if (outcome.kind === 'served') {
      outcome.slot.release()
      return outcome.response
    }
    const view = { model: order.model, isStream: false }
    reportFailure({ call, caller, deps, records, view }, outcome.choice, outcome.error)
    if (outcome.error.fault === 'unanswered') return foundByName(submission, accountAt(outcome.choice), outcome.error)
    failures.add(outcome)
  }
  throw failures.of(request)
}

/** Admits a task to the windows of an account, until it has ended. */
const admitTo = (
  { deps: { ctx }, publicId }: Submission,
  quote: TaskQuote,
  { windows, account }: { readonly windows: readonly LimitWindow[]; readonly account: TaskAccount },
) => {
  const { cost, accepted } = quote.termsAt(account)
  const max = cost && taskHold(cost, accepted, quote.submittedAt)
  return ctx.ledger.admitHeld(publicId, windows, { cost: max === null ? null : { max, min: max } })
}

const accountAt = ({ channel, key, model }: Choice): TaskAccount => ({
  channel,
  key,
  upstreamModel: upstreamName(channel, model),
})

/** Only the account that made a task can continue it. */
async function takenByOrigin(submission: Submission, quote: TaskQuote, origin: TaskRow): Promise<Taken> {
  const { call, caller, order, deps } = submission
  const account = accountOf(deps.ctx, origin)
  if (!account?.channel.isEnabled) {
    throw new AppError('route.no_channel', { params: { model: order.model, group: caller.group } })
  }
  const upstreamModel = upstreamName(account.channel, order.model)
  await requireRoom(submission, quote, { ...account, upstreamModel })
  try {
    return await submitTo(submission, { ...account, upstreamModel })
  } catch (error) {
    if (error instanceof UpstreamError) {
      const view = { model: order.model, isStream: false }
      reportFailure({ call, caller, deps, records: [], view }, { ...account, model: order.model }, error)
      if (error.fault === 'unanswered') return foundByName(submission, { ...account, upstreamModel }, error)
    }
    throw error
  }
}

/** @throws AppError `route.busy` where a window of the account is full. */
async function requireRoom(submission: Submission, quote: TaskQuote, account: TaskAccount): Promise<void> {
  const { ctx } = submission.deps
  const windows = windowsOf(ctx.catalog.current, account)
  const admitted = windows && (await admitTo(submission, quote, { windows, account }))
  if (admitted?.kind !== 'full') return
  ctx.metrics.countWindowSkip(account.channel.id)
  const { freeAt } = admitted
  throw new AppError('route.busy', {
    ...(freeAt !== null && { retryAfterSeconds: Math.max(1, freeAt - ctx.clock.seconds()) }),
  })
}

/**
 * Returns a task that its vendor may have accepted, to be asked about by the gateway's own name for it: no other vendor gets it.
 * @throws UpstreamError where the vendor keeps no names.
 */
function foundByName(submission: Submission, account: TaskAccount, error: UpstreamError): Taken {
  const { target, protocol } = submissionTo(submission, account)
  const vendorId = protocol.namedId?.(writtenFor(submission.order, account, target), target)
  if (vendorId === undefined) throw error
  return { isProven: true, account, protocol, accepted: { kind: 'accepted', vendorId } }
}

/** Makes one attempt. @throws UpstreamError after which another channel may be tried. */
async function submitTo(submission: Submission, account: TaskAccount): Promise<Taken> {
  const { order, deps } = submission
  const { channel, key } = account
  const { target, protocol } = submissionTo(submission, account)
  const written = writtenFor(order, account, target)
  const reply = await submitToVendor(deps.ctx, account, protocol, written)
  const read = protocol.readSubmission(reply, written)
  if (read.kind === 'accepted') return { isProven: true, account, protocol, accepted: read }
  const { status, code, message } = read
  throw new UpstreamError({
    fault: 'refused',
    status: channel.statusCodeMapping.get(status) ?? status,
    code,
    message,
    retryAfterSeconds: reply.retryAfterSeconds,
    secrets: [key.value],
  })
}

function submissionTo({ order, deps: { ctx }, publicId }: Submission, account: TaskAccount) {
  const target = taskTarget(ctx, account, { callbackUrl: callbackUrlOf(ctx, publicId), name: publicId })
  const protocol = taskProtocolOf(account.channel.provider, order.platform, target)
  if (!protocol) throw new AppError('endpoint.unsupported', { params: { model: order.model } })
  return { target, protocol }
}

/** Another vendor may be able to express what this one cannot. */
function writtenFor(order: TaskOrder, { channel }: TaskAccount, target: ReturnType<typeof taskTarget>) {
  try {
    return order.write(channel.provider, target)
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw new UpstreamError({ fault: 'refused', status: 400, code: 'unsupported_value', message: cause.message, cause })
  }
}

/** Cancels a task that a vendor accepted too late, if the vendor supports it. */
async function giveUp(ctx: RelayDeps['ctx'], { account, protocol, accepted }: Taken): Promise<void> {
  const call = protocol.cancel?.(accepted.vendorId, taskTarget(ctx, account))
  if (!call) return
  await callVendor(ctx, account, protocol, call).catch((error: unknown) =>
    ctx.log.warn({ error, channel: account.channel.id }, 'a task that was accepted too late could not be cancelled'),
  )
}
