import { droppedHeader, maxTokensHeader, type ErrorCode } from '@tollgate/contract'
import { dialects, type ErrorView, type Usage } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import { changeResponse, responseOptions } from '../delivery/response-changes'
import { impossibleCounts } from '../../billing/metering/usage-bounds'
import { withInlineImages } from '../delivery/inline-images'
import { droppedParts, droppedValue } from '../delivery/dropped'
import {
  addCallHeaders,
  addUpstreamHeaders,
  relayResponse,
  servedModelHeaders,
  streamHeaders,
  wholeResponse,
  withPassedHeaders,
} from '../delivery/response-headers'
import type { Served } from './attempt'
import { heartbeatMs } from '../delivery/signs-of-life'
import { deliverStream, type StreamDelivery, type StreamEnding, type StreamRecording } from '../delivery/deliver-stream'
import { ownFailure } from '../errors/failure'
import { holdsSecret, mask } from '../../platform/text/mask'
import { evidenceOf } from './meter'
import type {
  BytesResponse,
  OpenResponse,
  ArrivingResponse,
  StreamResponse,
  WholeResponse,
} from '../attempt/stream-opening'
import { readOnMs } from '../attempt/disconnect'
import { type CallContext, serverTiming } from '../call-context'
import { sentSecrets } from '../../channels/calls/sent-secrets'
import { servingPrice } from '../pricing/call-price'
import { keepTurn, withTurnNames } from '../turns/keep-turn'
import { keepsResponse } from '../turns/open-turn'
import { StreamBudget } from '../delivery/stream-budget'

/** Charges a response that ended in this way. Resolves with the usage when the charge is durable. */
type ChargeResponse = (ending: StreamEnding) => Promise<Usage>

/** Delivers the response to the client. From here on no other channel is tried and the call is charged. */
export function deliver(
  context: CallContext,
  served: Served<OpenResponse>,
  charge: ChargeResponse,
  recording?: StreamRecording,
): Promise<Response> {
  const { response, choice, slot } = served
  if (response.kind !== 'whole')
    return Promise.resolve(deliverWhileArriving(context, { ...served, response }, charge, recording))
  slot.release()
  return deliverWhole(context, { choice, response }, charge)
}

async function deliverWhole(
  context: CallContext,
  served: Pick<Served<WholeResponse>, 'choice' | 'response'>,
  charge: ChargeResponse,
): Promise<Response> {
  const { response } = served
  const { channel } = served.choice
  const usage = await charge('complete')
  const { translated } = response.prepared
  if (translated?.raw) {
    const { bytes, contentType } = translated.raw(response.json, usage)
    return relayResponse(bytes, { ...ownHeaders(context, response), 'content-type': contentType })
  }
  if (response.translated) {
    const body = response.translated.write(usage, responseOptions(context, channel))
    const filled = mayInline(context) ? await withInlineImages(context, body) : body
    if (context.turn) await keepTurn(context, served, filled)
    return wholeResponse(JSON.stringify(filled), ownHeaders(context, response))
  }
  const { complete, dialect } = response.prepared.description
  const whole = complete?.(response.json, context.body.json, usage) ?? response.json
  const rewritten = changeResponse(whole, channel.setting, dialect)
  const filled = mayInline(context) ? await withInlineImages(context, rewritten) : rewritten
  const changed = context.turn?.earlier ? withTurnNames(filled, context.turn) : filled
  if (context.turn) await keepTurn(context, served, changed)
  return wholeResponse(
    changed === response.json ? response.bytes : JSON.stringify(changed),
    withPassedHeaders(ownHeaders(context, response), response.headers),
  )
}

const mayInline = ({ call }: CallContext): boolean => dialects[call.dialect].inlining !== undefined

/** How the delivery of events differs from that of other bytes. */
interface DeliveryFormat extends Pick<StreamDelivery, 'form' | 'heartbeatMs' | 'budget' | 'brokenEvent'> {
  readonly headers: Record<string, string>
}

function eventFormat(context: CallContext, served: Served<StreamResponse>): DeliveryFormat {
  const { call } = context
  const { response } = served
  const form = dialects[call.dialect].streamForm?.(call.query) ?? null
  const own = ownHeaders(context, response)
  const headers = streamHeaders(response.prepared.translated ? own : withPassedHeaders(own, response.headers))
  if (form) headers['content-type'] = form.contentType
  return {
    form,
    headers,
    heartbeatMs: heartbeatMs(context),
    // What all rounds may cost is held.
    budget: response.searched ? null : budgetOf(context, served),
    brokenEvent: () => dialects[call.dialect].errorEvent(ownFailure(new AppError(breakOf(context, response)), call)),
  }
}

const byteFormat = (context: CallContext, response: BytesResponse): DeliveryFormat => ({
  form: null,
  headers: { ...ownHeaders(context, response), 'content-type': response.contentType, 'x-accel-buffering': 'no' },
  heartbeatMs: null,
  budget: null,
  brokenEvent: () => null,
})

function deliverWhileArriving(
  context: CallContext,
  served: Served<ArrivingResponse>,
  charge: ChargeResponse,
  recording: StreamRecording | undefined,
): Response {
  const { response, choice, slot } = served
  const { call, deps } = context
  const leave = deps.inFlight.enter()
  call.trace?.streams()
  const { headers, ...format } =
    response.kind === 'stream' ? eventFormat(context, { ...served, response }) : byteFormat(context, response)
  const body = deliverStream({
    ...format,
    reader: response.reader,
    tap: response.tap,
    first: response.first,
    clocks: response.clocks,
    timers: deps.ctx.timers,
    departure: context.departure,
    readOnMs: () => readOnMs(context, choice.channel, response),
    choices: context.view.choices,
    contentType: headers['content-type'],
    recording,
    beforeLast: keepsResponse(context.turn) ? () => keepStreamed(context, { choice, response }) : undefined,
    settle: (ending) => settleStream(context, served, ending, charge),
    isShowable: (error, events) =>
      isShowable(error, events, [choice.key.value, ...sentSecrets(response.prepared.request)]),
    over() {
      context.body.room?.[Symbol.dispose]()
      slot.release()
      leave()
      call.trace?.end()
    },
  })
  return relayResponse(body, headers)
}

function keepStreamed(
  context: CallContext,
  served: Pick<Served<ArrivingResponse>, 'choice' | 'response'>,
): Promise<void> | undefined {
  const { response } = served
  const whole = response.kind === 'stream' ? response.tap.wholeAnswer?.() : null
  return whole ? keepTurn(context, served, whole) : undefined
}

/** The upstream's error message may be shown unless it contains masked text; in the rest of its event only our secrets matter. */
const isShowable = (
  { message, type, code, param }: ErrorView,
  events: Uint8Array,
  secrets: readonly string[],
): boolean =>
  [message, type, code, param ?? ''].every((text) => mask(text, secrets) === text) &&
  !holdsSecret(Buffer.from(events).toString(), secrets)

const budgetOf = (context: CallContext, { choice, response }: Served<StreamResponse>): StreamBudget | null =>
  StreamBudget.of({
    ledger: context.deps.ctx.ledger,
    reservation: context.reservation,
    price: servingPrice(context, choice, response.prepared),
    promptTokens: context.view.promptTokens,
    tap: response.tap,
    isPossible: (usage) => impossibleCounts(usage, () => evidenceOf(context, response)) === null,
  })

/** The gateway stops and its time is over. The upstream is not to blame. */
const isCut = ({ clocks }: ArrivingResponse): boolean => clocks.reason === 'shutdown'

function breakOf({ departure }: CallContext, response: StreamResponse): ErrorCode {
  if (departure.isSentAway) return 'caller.revoked'
  return isCut(response) ? 'gateway.draining' : 'upstream.broken'
}

function ownHeaders(context: CallContext, response: OpenResponse): Record<string, string> {
  const headers = gatewayHeaders(context, droppedParts(context, response), response.firstByteMs)
  const { returnedHeaders } = response.prepared
  if (returnedHeaders) addUpstreamHeaders(headers, response.headers, returnedHeaders)
  return headers
}

/** Returns the headers that the gateway itself adds to a response besides `browserHeaders`: of what was left out of its request, and when it began. */
export function gatewayHeaders(
  context: CallContext,
  dropped: readonly string[],
  firstByteMs: number,
): Record<string, string> {
  const { call, timing, maxTokens } = context
  const headers: Record<string, string> = { 'server-timing': serverTiming(timing, firstByteMs) }
  if (maxTokens !== null) headers[maxTokensHeader] = String(maxTokens)
  if (dropped.length > 0) headers[droppedHeader] = droppedValue(dropped)
  const { model, modelChoice } = context.view
  if (modelChoice?.reason) Object.assign(headers, servedModelHeaders(model, modelChoice.reason))
  return addCallHeaders(headers, call)
}

/** A stream that broke counts against its channel, though it began well. */
function reportOutcome({ reporter, response }: Served<ArrivingResponse>, ending: StreamEnding): void {
  if (ending === 'broken' && !isCut(response)) reporter.recordFailure({ scope: 'channel', weight: 1, tookMs: 0 })
  else if (response.isProven) return
  else if (ending === 'complete') reporter.recordSuccess()
  else reporter.endedSilently()
}

async function settleStream(
  { call, deps: { ctx } }: CallContext,
  served: Served<ArrivingResponse>,
  ending: StreamEnding,
  charge: ChargeResponse,
): Promise<Usage> {
  reportOutcome(served, ending)
  try {
    return await charge(ending)
  } catch (error) {
    // The ledger has reported that it cannot charge.
    if (!(error instanceof AppError))
      ctx.log.error({ error, requestId: call.requestId }, 'a stream could not be charged')
    throw error
  }
}
