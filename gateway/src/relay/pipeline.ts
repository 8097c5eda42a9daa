import { AppError } from '../platform/app-error'
import type { Room } from '../http/limits/byte-budget'
import type { ModelCall } from './call'
import { type CallContext, type RelayDeps, Timing } from './call-context'
import { admit, type Admitted } from './stages/admit'
import { authenticate, callerInMemory } from './stages/authenticate'
import { outputLimit, reserve, reserveNow } from './stages/reserve'
import { countSuccess, countSuccessNow, type RateRules } from './admission/rate-limits'
import { refuseForbiddenWords, refusesAtOnce } from './content-policy/forbidden-words'
import { admitNow, admitTurn } from './turns/admit-turn'
import { continueWithItems } from './turns/continue-with-items'
import { isDeferred } from './stages/endpoint'
import { heartbeatMs, withSignsOfLife } from './delivery/signs-of-life'
import { Departure } from './departure'
import { refuseLeft } from './attempt/disconnect'
import { turnOver } from '../platform/time/timers'
import { isWarmUp, warmUp } from './response-socket/warm-up'
import { isLoadRequest, loadModel } from './side-endpoints/load-model'
import type { StreamEnding } from './delivery/deliver-stream'
import { recordObjects } from './objects/record-objects'
import { continueWithNext } from './attempt/next-model'
import type { OpenResponse } from './attempt/stream-opening'
import { attempt, type Served } from './stages/attempt'
import type { ResponseRecording } from './response-cache/response-recording'
import { deliver } from './stages/deliver'
import { meterResponse } from './stages/meter'
import { recallOr } from './stages/recall'
import { settle } from './stages/settle'

/**
 * Runs one model call, from the request to the response; a stream goes on after this returns, and so does a call in the background.
 * @throws AppError, UpstreamError: nothing was delivered and nothing is charged.
 */
export async function relay(call: ModelCall, deps: RelayDeps): Promise<Response> {
  const { inFlight } = deps
  const asking = callerInMemory(call, deps) ?? (await authenticate(call, deps))
  // Most bodies have arrived by the end of the turn in which their head did, and whatever a client sends behind them.
  await turnOver(deps.ctx.timers)
  const room = inFlight.memory.openCall(asking.payer.userId)
  let context: CallContext | null = null
  let rates: RateRules
  try {
    const admitted = await admit(call, { caller: asking, room }, deps)
    rates = admitted.rates
    if (isDeferred(call.endpoint, admitted.body)) {
      const { deferCall } = await import('./background/defer-call')
      return await deferCall(call, { ...admitted, room }, deps)
    }
    if (isLoadRequest(call, admitted.body)) {
      const loaded = await loadModel(call, admitted, deps)
      room[Symbol.dispose]()
      return loaded
    }
    if (call.source && isWarmUp(call.source, admitted.body)) {
      const warmed = await warmUp(call, admitted, deps)
      room[Symbol.dispose]()
      return warmed
    }
    context = await contextOf(call, admitted, room, deps)
    refuseLeft(call.request)
  } catch (error) {
    if (context) deps.ctx.ledger.release(context.reservation)
    room[Symbol.dispose]()
    throw error
  }
  const serving = unlessSentAway(
    context,
    rates.success.length === 0 ? respond(context) : respondCounted(context, rates),
  )
  const silentMs = context.view.isStream ? heartbeatMs(context) : null
  return silentMs === null ? serving : withSignsOfLife(context, serving, silentMs)
}

/** Resolves with the response to an admitted call, from the response cache where the site has one. */
const respond = (context: CallContext): Promise<Response> =>
  context.call.catalog.options.ResponseCacheEnabled ? recallOr(serve, context) : serve(context)

async function respondCounted(context: CallContext, rates: RateRules): Promise<Response> {
  const response = await respond(context)
  const { limiter } = context.deps
  if (!countSuccessNow(limiter, rates)) await countSuccess(limiter, rates)
  return response
}

/** Resolves with what is decided about a call, for which its price is held. @throws AppError, DialectError: nothing is held. */
async function contextOf(call: ModelCall, admitted: Admitted, room: Room, deps: RelayDeps): Promise<CallContext> {
  const { ctx } = deps
  const { caller: asking } = admitted
  const turnRequest = { call, caller: asking, body: admitted.body, room, ctx }
  const request = admitNow(turnRequest) ?? (await admitTurn(turnRequest))
  const { body, objects, turn } = request
  const priced = { caller: asking, body, view: request.view }
  const { caller, view, quote, reservation } = reserveNow(call, priced, ctx) ?? (await reserve(call, priced, ctx))
  try {
    const { texts } = view.prompt
    if (!refusesAtOnce(call.catalog, texts)) await refuseForbiddenWords(call.catalog, texts)
  } catch (error) {
    ctx.ledger.release(reservation)
    throw error
  }
  const timing = new Timing(ctx, call.trace)
  timing.recordStage('admit', call.startedAt)
  const departure = Departure.of(call.request.signal, caller.payer)
  const context: CallContext = {
    deps,
    call,
    caller,
    body,
    view,
    objects,
    turn,
    quote,
    reservation,
    departure,
    maxTokens: outputLimit(quote, view, { caps: caller.caps, reservation }),
    records: [],
    timing,
  }
  call.trace?.recordAdmission({ model: quote.model, isStream: view.isStream, attempts: context.records })
  return context
}

/**
 * Resolves with the response, unless its caller is sent away before: the call then goes on without it, to be charged.
 * @throws AppError `caller.revoked`.
 */
function unlessSentAway({ departure, deps: { inFlight } }: CallContext, serving: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    serving.then(resolve, reject)
    departure.onGone(() => {
      if (!departure.isSentAway) return
      serving.finally(inFlight.enter()).catch(() => {})
      reject(new AppError('caller.revoked'))
    })
  })
}

/**
 * Runs an admitted call, from the choice of a channel to the response; a stream goes on after this returns. `recording`: stores the response.
 * @throws AppError, UpstreamError: nothing was delivered and nothing is charged.
 */
export async function serve(admitted: CallContext, recording?: ResponseRecording): Promise<Response> {
  const { body } = admitted
  let isStreaming = false
  try {
    const first = await attempt(admitted)
    const { context, attempted } =
      first.kind === 'served' ? { context: admitted, attempted: first } : await goOn(admitted, first.error)
    isStreaming = attempted.response.kind !== 'whole'
    // Called by the delivery before the last bytes are sent: a client has the end of its response only when it is charged.
    const charge = async (ending: StreamEnding) => {
      const metered = await meterResponse(context, attempted, ending)
      const usage = await settle(context, attempted, ending, metered)
      recordObjects(context, attempted, metered)
      // The response of another model is not that of the request.
      if (context === admitted) recording?.recordCharge(attempted, ending, metered)
      return usage
    }
    return await deliver(context, attempted, charge, recording)
  } finally {
    if (!isStreaming) body.room?.[Symbol.dispose]()
  }
}

interface Attempted {
  readonly context: CallContext
  readonly attempted: Served<OpenResponse>
}

/**
 * Resolves with the response of the same model where its vendor was to know an earlier response and does not, otherwise of the first that
 * serves of those left in the call's chain. @throws what the first of all failed with.
 */
async function goOn(failed: CallContext, error: unknown): Promise<Attempted> {
  let context = (await continueWithItems(failed, error)) ?? (await continueWithNext(failed, error))
  while (context !== null) {
    const attempted = await attempt(context)
    if (attempted.kind === 'served') return { context, attempted }
    context = await continueWithNext(context, attempted.error)
  }
  throw error
}
