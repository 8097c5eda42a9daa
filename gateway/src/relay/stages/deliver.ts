import { droppedHeader, maxTokensHeader, type ErrorCode } from '@tollgate/contract'
import { dialects, type ErrorView, type Usage } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import type { Channel } from '../../channels/catalog/catalog'
import { changedAnswer, responseOptions } from '../delivery/response-changes'
import { impossibleCounts } from '../../billing/metering/usage-bounds'
import { withInlineImages } from '../delivery/inline-images'
import {
  answerHeaders,
  streamHeaders,
  withPassedHeaders,
  addCallHeaders,
  browserHeaders,
} from '../delivery/response-headers'
import type { Answered } from './attempt'
import { droppedParts, droppedValue } from '../delivery/dropped'
import { heartbeatMs } from '../delivery/signs-of-life'
import { deliverStream, type StreamDelivery, type StreamEnding } from '../delivery/deliver-stream'
import { ownFailure } from '../errors/failure'
import { holdsSecret, mask } from '../../platform/text/mask'
import { evidenceOf } from './meter'
import type { BytesAnswer, OpenAnswer, RunningAnswer, StreamAnswer, WholeAnswer } from '../attempt/stream-opening'
import { readOnMs } from '../attempt/disconnect'
import { type CallContext, serverTiming } from '../call-context'
import { sentSecrets } from '../../channels/calls/sent-secrets'
import { servingPrice } from '../pricing/serving-price'
import { StreamBudget } from '../delivery/stream-budget'

/** Charges a response that ended in this way. Resolves with the usage when the charge is durable. */
type ChargeAnswer = (ending: StreamEnding) => Promise<Usage>

/** Delivers the response to the client. From here on no other channel is tried and the call is charged. */
export async function deliver(
  context: CallContext,
  served: Answered<OpenAnswer>,
  charge: ChargeAnswer,
): Promise<Response> {
  const { answer, choice, slot } = served
  if (answer.kind !== 'whole') return running(context, { ...served, answer }, charge)
  slot.release()
  return deliverWhole(context, answer, choice.channel, charge)
}

async function deliverWhole(
  context: CallContext,
  answer: WholeAnswer,
  channel: Channel,
  charge: ChargeAnswer,
): Promise<Response> {
  const usage = await charge('complete')
  const { translated } = answer.prepared
  if (translated?.raw) {
    const { bytes, contentType } = translated.raw(answer.json, usage)
    return new Response(bytes, { headers: { ...ownHeaders(context, answer), 'content-type': contentType } })
  }
  if (translated) {
    const body = translated.answer(answer.json, usage, responseOptions(context, channel))
    const filled = mayInline(context) ? await withInlineImages(context, body) : body
    return Response.json(filled, { headers: ownHeaders(context, answer) })
  }
  const { complete, dialect } = answer.prepared.description
  const whole = complete?.(answer.json, context.body.json, usage) ?? answer.json
  const rewritten = changedAnswer(whole, channel.setting, dialect)
  const changed = mayInline(context) ? await withInlineImages(context, rewritten) : rewritten
  return new Response(changed === answer.json ? answer.bytes : JSON.stringify(changed), {
    headers: answerHeaders(ownHeaders(context, answer), answer.headers),
  })
}

const mayInline = ({ call }: CallContext): boolean => dialects[call.dialect].inlining !== undefined

/** How the delivery of events differs from that of other bytes. */
interface Manner extends Pick<StreamDelivery, 'form' | 'heartbeatMs' | 'budget' | 'brokenEvent'> {
  readonly headers: Record<string, string>
}

function inEvents(context: CallContext, served: Answered<StreamAnswer>): Manner {
  const { call } = context
  const { answer } = served
  const form = dialects[call.dialect].streamForm?.(call.query) ?? null
  const own = ownHeaders(context, answer)
  const headers = streamHeaders(answer.prepared.translated ? own : withPassedHeaders(own, answer.headers))
  if (form) headers['content-type'] = form.contentType
  return {
    form,
    headers,
    heartbeatMs: heartbeatMs(context),
    budget: budgetOf(context, served),
    brokenEvent: () => dialects[call.dialect].errorEvent(ownFailure(new AppError(breakOf(context, answer)), call)),
  }
}

const inBytes = (context: CallContext, answer: BytesAnswer): Manner => ({
  form: null,
  headers: { ...ownHeaders(context, answer), 'content-type': answer.contentType, 'x-accel-buffering': 'no' },
  heartbeatMs: null,
  budget: null,
  brokenEvent: () => null,
})

function running(context: CallContext, served: Answered<RunningAnswer>, charge: ChargeAnswer): Response {
  const { answer, choice, slot } = served
  const { call, deps } = context
  const leave = deps.inFlight.enter()
  call.trace?.streams()
  const { headers, ...manner } =
    answer.kind === 'stream' ? inEvents(context, { ...served, answer }) : inBytes(context, answer)
  const body = deliverStream({
    ...manner,
    reader: answer.reader,
    tap: answer.tap,
    first: answer.first,
    clocks: answer.clocks,
    timers: deps.ctx.timers,
    departure: context.departure,
    readOnMs: () => readOnMs(context, choice.channel, answer),
    choices: context.view.choices,
    settle: (ending) => judgedAndCharged(context, served, ending, charge),
    isShowable: (error, events) =>
      isShowable(error, events, [choice.key.value, ...sentSecrets(answer.prepared.request)]),
    over() {
      context.body.room?.[Symbol.dispose]()
      slot.release()
      leave()
      call.trace?.ended()
    },
  })
  return new Response(body, { headers })
}

/** The upstream's error message may be shown unless it contains masked text; in the rest of its event only our secrets matter. */
const isShowable = (
  { message, type, code, param }: ErrorView,
  events: Uint8Array,
  secrets: readonly string[],
): boolean =>
  [message, type, code, param ?? ''].every((text) => mask(text, secrets) === text) &&
  !holdsSecret(Buffer.from(events).toString(), secrets)

const budgetOf = (context: CallContext, { choice, answer }: Answered<StreamAnswer>): StreamBudget | null =>
  StreamBudget.of({
    ledger: context.deps.ctx.ledger,
    reservation: context.reservation,
    price: servingPrice(context, choice, answer.prepared),
    promptTokens: context.view.promptTokens,
    tap: answer.tap,
    isPossible: (usage) => impossibleCounts(usage, () => evidenceOf(context, answer)) === null,
  })

/** The gateway stops and its time is over. The upstream is not to blame. */
const isCut = ({ clocks }: RunningAnswer): boolean => clocks.reason === 'shutdown'

function breakOf({ departure }: CallContext, answer: StreamAnswer): ErrorCode {
  if (departure.isSentAway) return 'caller.revoked'
  return isCut(answer) ? 'gateway.draining' : 'upstream.broken'
}

/** Returns the headers that the gateway itself adds. */
function ownHeaders(context: CallContext, answer: OpenAnswer): Record<string, string> {
  const { call, timing, maxTokens } = context
  const dropped = droppedParts(context, answer)
  const headers: Record<string, string> = {
    ...browserHeaders,
    'server-timing': serverTiming(timing, answer.firstByteMs),
  }
  if (maxTokens !== null) headers[maxTokensHeader] = String(maxTokens)
  if (dropped.length > 0) headers[droppedHeader] = droppedValue(dropped)
  return addCallHeaders(headers, call)
}

/** A stream that broke counts against its channel, though it began well. */
function judge({ attempt, answer }: Answered<RunningAnswer>, ending: StreamEnding): void {
  if (ending === 'broken' && !isCut(answer)) attempt.failed({ scope: 'channel', weight: 1, tookMs: 0 })
  else if (answer.isProven) return
  else if (ending === 'complete') attempt.succeeded()
  else attempt.endedSilently()
}

async function judgedAndCharged(
  { call, deps: { ctx } }: CallContext,
  served: Answered<RunningAnswer>,
  ending: StreamEnding,
  charge: ChargeAnswer,
): Promise<Usage> {
  judge(served, ending)
  try {
    return await charge(ending)
  } catch (error) {
    // The ledger has reported that it cannot charge.
    if (!(error instanceof AppError))
      ctx.log.error({ error, requestId: call.requestId }, 'a stream could not be charged')
    throw error
  }
}
