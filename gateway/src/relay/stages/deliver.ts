import { maxTokensHeader, requestIdHeader, type ErrorCode } from '@tollgate/contract'
import { dialects, type ErrorView, type Usage } from '@tollgate/dialects'

import { AppError } from '../../app-error'
import { changedAnswer } from '../delivery/response-changes'
import { impossibleCounts } from '../../metering/usage-bounds'
import { answerWish } from '../delivery/response-options'
import { answerHeaders, streamHeaders } from '../delivery/response-headers'
import type { Served } from './attempt'
import { browserHeaders } from '../delivery/browser-headers'
import { deliverStream, type StreamEnding } from '../delivery/deliver-stream'
import { ownFailure } from '../errors/failure'
import { holdsSecret, mask } from '../../mask'
import { evidenceOf } from './meter'
import type { OpenAnswer, StreamAnswer, WholeAnswer } from '../attempt/opened-answer'
import { readOnMs } from '../delivery/read-on'
import type { Scene } from '../call-context'
import { sentSecrets } from '../../channels/calls/sent-secrets'
import { servingPrice } from '../pricing/serving-price'
import { settle } from './settle'
import { StreamBudget } from '../delivery/stream-budget'
import { serverTiming } from '../timing'

/** Give the answer to the client. From here on no other channel is asked and the call is charged. */
export function deliver(scene: Scene, { answer, ...served }: Served<OpenAnswer>): Promise<Response> | Response {
  if (answer.kind === 'stream') return streamed(scene, { ...served, answer })
  served.slot.release()
  return deliverWhole(scene, { ...served, answer })
}

async function deliverWhole(scene: Scene, served: Served<WholeAnswer>): Promise<Response> {
  const { answer, choice } = served
  const usage = await settle(scene, served, 'complete')
  const { translated } = answer.prepared
  if (translated) {
    const body = translated.answer(answer.json, usage, answerWish(scene, choice.channel))
    return Response.json(body, { headers: ownHeaders(scene, answer) })
  }
  const { complete, dialect } = answer.prepared.description
  const whole = complete?.(answer.json, scene.body.json, usage) ?? answer.json
  const changed = changedAnswer(whole, choice.channel.setting, dialect)
  return new Response(changed === answer.json ? answer.bytes : JSON.stringify(changed), {
    headers: answerHeaders(answer.headers, ownHeaders(scene, answer)),
  })
}

function streamed(scene: Scene, served: Served<StreamAnswer>): Response {
  const { answer, choice, slot } = served
  const { call, parts } = scene
  const { options } = call.catalog
  const leave = parts.inFlight.enter()
  call.trace?.streams()
  const form = dialects[call.dialect].streamForm?.(call.query) ?? null
  const body = deliverStream({
    reader: answer.reader,
    tap: answer.tap,
    form,
    first: answer.first,
    clocks: answer.clocks,
    signal: call.request.signal,
    heartbeatMs: options['general_setting.ping_interval_enabled']
      ? options['general_setting.ping_interval_seconds'] * 1000
      : null,
    readOnMs: () => readOnMs(scene, choice.channel, answer),
    budget: budgetOf(scene, served),
    choices: scene.view.choices,
    settle: (ending) => charge(scene, served, ending),
    brokenEvent: () => dialects[call.dialect].errorEvent(ownFailure(new AppError(breakOf(answer)), call)),
    isShowable: (error, events) =>
      isShowable(error, events, [choice.key.value, ...sentSecrets(answer.prepared.request)]),
    over() {
      slot.release()
      leave()
      call.trace?.ended()
    },
  })
  const headers = streamHeaders(ownHeaders(scene, answer))
  if (form) headers['content-type'] = form.contentType
  return new Response(body, { headers })
}

/** What the upstream said of its failure may be seen unless it holds what is masked; of the rest of its event, our secrets count. */
const isShowable = (
  { message, type, code, param }: ErrorView,
  events: Uint8Array,
  secrets: readonly string[],
): boolean =>
  [message, type, code, param ?? ''].every((text) => mask(text, secrets) === text) &&
  !holdsSecret(Buffer.from(events).toString(), secrets)

const budgetOf = (scene: Scene, { choice, answer }: Served<StreamAnswer>): StreamBudget | null =>
  StreamBudget.of({
    ledger: scene.parts.ctx.ledger,
    reservation: scene.reservation,
    price: servingPrice(scene, choice, answer.prepared),
    promptTokens: scene.view.promptTokens,
    tap: answer.tap,
    isPossible: (usage) => impossibleCounts(usage, () => evidenceOf(scene, answer)) === null,
  })

/** We ended it: the gateway stops and its time is over, or its caller may call no longer. The upstream is not to blame. */
const isCut = ({ clocks: { reason } }: StreamAnswer): boolean => reason === 'shutdown' || reason === 'revoked'

function breakOf({ clocks: { reason } }: StreamAnswer): ErrorCode {
  if (reason === 'shutdown') return 'gateway.draining'
  return reason === 'revoked' ? 'caller.revoked' : 'upstream.broken'
}

/** What the gateway itself tells of the call. */
const ownHeaders = ({ call, timing, maxTokens }: Scene, { firstByteMs }: OpenAnswer): Record<string, string> => ({
  ...browserHeaders,
  [requestIdHeader]: call.requestId,
  ...(maxTokens !== null && { [maxTokensHeader]: String(maxTokens) }),
  'server-timing': serverTiming(timing, firstByteMs),
})

/** A stream that broke speaks against its channel, though it had begun well. */
function judge({ attempt, answer }: Served<StreamAnswer>, ending: StreamEnding): void {
  if (ending === 'broken' && !isCut(answer)) attempt.failed({ scope: 'channel', weight: 1, tookMs: 0 })
  else if (answer.isProven) return
  else if (ending === 'complete') attempt.succeeded()
  else attempt.endedSilently()
}

async function charge(scene: Scene, served: Served<StreamAnswer>, ending: StreamEnding): Promise<Usage> {
  const { ctx } = scene.parts
  judge(served, ending)
  try {
    return await settle(scene, served, ending)
  } catch (error) {
    ctx.log.error({ error, requestId: scene.call.requestId }, 'a stream could not be charged')
    throw error
  }
}
