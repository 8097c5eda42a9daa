import { DialectError, type JsonObject } from '@tollgate/dialects'
import { backgroundPlatforms, type OptionValues } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { bytesOf, withoutMember, type ParsedBody } from '../../channels/calls/parsed-body'
import { newResponseId } from '../../http/request/request-id'
import { WindowError } from '../../billing/ledger/window/window-refusal'
import { isOutOfQuota, type Payer } from '../../billing/ledger/ledger'
import { insertTask, taskByPublicId, type NewTask } from '../../tasks/task-store'
import { chooseModel, choosingCall } from '../admission/model-choice'
import { payInTurn } from '../admission/payers'
import { noteWindows } from '../admission/rate-standings'
import { takeOrGoOn, type RequestedModel } from '../admission/window-fallback'
import { countSuccess } from '../admission/rate-limits'
import { refusePipelined } from '../attempt/disconnect'
import type { Context } from '../../context'
import type { Room } from '../../http/limits/byte-budget'
import type { ModelCall } from '../call'
import { type CallContext, type RelayDeps, Timing } from '../call-context'
import { Departure } from '../departure'
import { callHeaders, withBrowserHeaders } from '../delivery/response-headers'
import { refusePaidWords } from '../content-policy/forbidden-words'
import type { Admitted } from '../stages/admit'
import { quoteOf, type Quote, type QuoteInput } from '../stages/quote'
import { outputLimit } from '../stages/reserve'
import { admitTurn } from '../turns/admit-turn'
import { initialTerms, submitterOf, webhookOf } from '../tasks/task-order'
import { claimMs } from './background-calls'
import { deferredKind, type DeferredKind } from './deferred-kind'
import { runInBackground } from './run-in-background'
import type { Transaction } from '../../platform/store/database'

/**
 * Takes a call whose client does not wait for the answer: it is admitted and priced as any other, what it may cost is held with its task,
 * and this worker runs it on. Resolves with the task at once.
 * @throws AppError, DialectError: nothing is held then, and there is no task.
 */
export async function deferCall(
  call: ModelCall,
  admitted: Admitted & { readonly room: Room },
  deps: RelayDeps,
): Promise<Response> {
  const { ctx, limiter } = deps
  if (!call.catalog.options.TaskEnabled) throw new AppError('task.off')
  const kind = deferredKind(call)
  const { rates } = admitted
  requireMemory(admitted.body, deps)
  const webhook = webhookIn(admitted.body.json)
  const clientBody = foregroundBody(call, admitted.body)
  const request = await admitTurn({ ...admitted, call, body: clientBody, ctx })
  const { body, view: asView, objects, turn } = request
  const { model, prompt, modelChoice } = asView
  const viewOf = ({ model: other, modelChoice: choice }: RequestedModel) =>
    other === model ? asView : { ...asView, model: other, ...(choice && { modelChoice: choice }) }
  const publicId = newResponseId(ctx, kind.idPrefix)
  const started = await takeOrGoOn(
    call,
    { caller: admitted.caller, model, modelChoice },
    {
      quote: (requested) => quoteOfAll(call, { caller: requested.caller, body, view: viewOf(requested) }, ctx),
      choose: (named) => chooseModel(named, choosingCall(call, { caller: admitted.caller, body, view: asView }), ctx),
      async take(requested, quote) {
        await refusePaidWords(
          { ...call, texts: prompt.texts },
          { caller: requested.caller, amount: quote.holdRange.min },
          ctx,
        )
        await refusePipelined(call.request, ctx.timers)
        const start = {
          call,
          deps,
          kind,
          body,
          publicId,
          webhook,
          caller: requested.caller,
          quote,
          model: requested.model,
        }
        return { ...start, ...(await begin(start)), view: viewOf(requested) }
      },
    },
    ctx.clock,
  )
  const { caller, quote, view, amount, payer } = started
  noteWindows(call, payer, ctx)
  const row = await taskByPublicId(ctx.database.query, publicId)
  if (!row) throw new AppError('task.none', { params: { id: publicId } })
  const spendable = { amount, spendable: null }
  runInBackground(
    {
      deps,
      call: { ...call, trace: null, requestId: publicId, taskId: publicId },
      caller,
      body,
      view,
      objects,
      turn,
      quote,
      reservation: { requestId: publicId, payer, ...spendable },
      departure: Departure.withoutConnection(caller.payer),
      maxTokens: outputLimit(quote, view, { caps: caller.caps, reservation: spendable }),
      records: [],
      timing: new Timing(ctx, null),
    },
    row,
    kind,
  )
  await countSuccess(limiter, rates)
  const shown = kind.objectOf(row, null, call.language)
  return withBrowserHeaders(Response.json(shown, { headers: callHeaders(call) }))
}

/**
 * Returns what a call may cost, and holds with it what the models cost that it may go on with: the hold lies in the database until the call is over. Its least
 * is that of the model it begins with; a model that what was held does not pay for is not gone on with.
 */
function quoteOfAll(call: ModelCall, input: QuoteInput, ctx: Context): Quote {
  const { view } = input
  const quote = quoteOf(call, input, ctx.clock.now())
  const later = (view.modelChoice?.next ?? []).flatMap((model) => {
    try {
      return [quoteOf(call, { ...input, view: { ...view, model } }, ctx.clock.now()).holdRange]
    } catch (error) {
      // It is not served, has no price, or the caller's caps do not allow it.
      if (error instanceof AppError) return []
      throw error
    }
  })
  const max = Math.max(quote.holdRange.max, ...later.map((range) => range.max))
  return later.length === 0 ? quote : { ...quote, holdRange: { ...quote.holdRange, max } }
}

function webhookIn({ callback_url: url }: JsonObject): string {
  if (url === undefined || url === null || url === '') return ''
  const webhook = webhookOf(url)
  if (webhook !== '') return webhook
  throw new DialectError('callback_url', 'invalid_value', "Invalid 'callback_url': expected an https address.")
}

/** Returns the body as the upstream gets it: it is waited for there. @throws AppError `background.stream`, `background.store`. */
function foregroundBody({ endpoint }: ModelCall, body: ParsedBody): ParsedBody {
  const { stream, store } = body.json
  if (stream === true || stream === 'true') throw new AppError('background.stream')
  if (endpoint.deferredBy === 'background' && store === false) throw new AppError('background.store')
  return withoutMember(withoutMember(body, endpoint.deferredBy ?? ''), 'callback_url')
}

interface DeferredStart extends Pick<CallContext, 'call' | 'caller' | 'quote' | 'deps' | 'body'> {
  readonly kind: DeferredKind
  readonly publicId: string
  readonly webhook: string
  /** As the caller named it. */
  readonly model: string
}

/** Who pays for a deferred call, and how much is held. */
interface DeferredHold {
  readonly payer: Payer
  readonly amount: number
}

/**
 * Records the task and holds what it may cost: the most, or where the caller set no limit what the balance can pay of it.
 * @throws AppError `quota.user`, `quota.token`, `quota.window`, `background.calls`.
 */
async function begin(start: DeferredStart): Promise<DeferredHold> {
  const { quote, caller, deps } = start
  const { max: maxAmount, min: minAmount } = quote.holdRange
  const { clock } = deps.ctx
  return payInTurn({ caller, model: quote.model, clock }, async (payer) => {
    // Each balance or limit that covers less lowers what is held.
    for (let amount = maxAmount; ;) {
      try {
        return await holdFor(start, payer, amount)
      } catch (error) {
        if (amount === minAmount || !isOutOfQuota(error)) throw error
        const ofBalances = await spendableOf(payer, deps.ctx)
        const ofWindow = error instanceof WindowError && error.window.measure === 'quota' ? error.remaining : Infinity
        const less = Math.max(minAmount, Math.min(ofBalances, ofWindow))
        if (less >= amount) throw error
        amount = less
      }
    }
  })
}

/** Resolves with what the balances of a payer can pay. */
export async function spendableOf(payer: Payer, { ledger }: Pick<Context, 'ledger'>): Promise<number> {
  const { userId, tokenId, isTokenLimited, subscriptionId } = payer
  const ofUser = subscriptionId === undefined ? ((await ledger.balanceOf([userId])).get(userId) ?? 0) : Infinity
  const ofToken = isTokenLimited ? ((await ledger.tokenBalanceOf([tokenId])).get(tokenId) ?? 0) : Infinity
  return Math.min(ofUser, ofToken)
}

async function holdFor(start: DeferredStart, payer: Payer, amount: number): Promise<DeferredHold> {
  const { call, deps, publicId, quote } = start
  const hold = { id: publicId, payer, amount, tokens: quote.holdRange.tokens }
  await deps.ctx.ledger.hold(hold, async (transaction) => {
    await requireRoom(payer, call.catalog.options, transaction)
    await insertTask(newTask(start), transaction)
  })
  return { payer, amount }
}

function newTask({ call, caller, body, deps, kind, publicId, webhook, model }: DeferredStart): NewTask {
  const submittedAt = deps.ctx.clock.now()
  return {
    publicId,
    platform: kind.platform,
    action: kind.actionOf(call),
    model,
    ...submitterOf(caller),
    prompt: kind.promptOf(body.json),
    request: kind.requestOf(body.json),
    terms: initialTerms(call, caller, webhook),
    submittedAt,
    submittedBy: submittedAt + claimMs,
  }
}

/** @throws AppError `background.busy` where the requests that wait for their answers fill the memory of this worker. */
function requireMemory(body: ParsedBody, { inFlight }: RelayDeps): void {
  if (!inFlight.background.hasRoom(bytesOf(body)))
    throw new AppError('background.busy', { retryAfterSeconds: busySeconds })
}

const busySeconds = 10

/**
 * Refuses a call in the background when as many as allowed run for its user or key. Called in the transaction of its hold, which has
 * locked the balance: two calls cannot both take the last place.
 * @throws AppError `background.calls`.
 */
async function requireRoom(
  { userId, tokenId }: Payer,
  { BackgroundUserCalls: ofUser, BackgroundTokenCalls: ofToken }: OptionValues,
  transaction: Transaction,
): Promise<void> {
  if (ofUser === 0 && ofToken === 0) return
  const open = await transaction
    .selectFrom('holds')
    .innerJoin('tasks', 'tasks.public_id', 'holds.id')
    .select('holds.token_id')
    .where('holds.user_id', '=', userId)
    .where('tasks.platform', 'in', backgroundPlatforms)
    .execute()
  refuse(open.length, ofUser)
  refuse(open.filter(({ token_id: id }) => id === tokenId).length, ofToken)
}

function refuse(count: number, limit: number): void {
  if (limit > 0 && count >= limit) throw new AppError('background.calls', { params: { limit } })
}
