import { requestIdHeader } from '@tollgate/contract'
import { sessionTranslation } from '@tollgate/dialects'

import { AppError } from '../../app-error'
import { bodyOf } from '../../channels/calls/parsed-body'
import { switchedProtocols, type SocketHandler, type Upgrade } from '../../http/client-socket'
import { newAnswerId } from '../../http/request-id'
import { admitCaller, admitModel } from '../admission/admit-caller'
import { checkRates, countSuccess, rateRules } from '../admission/rate-limits'
import type { Answered } from '../attempt/attempts'
import type { IncomingCall, ModelCall } from '../call'
import type { RelayDeps } from '../call-context'
import { attemptWith } from '../stages/attempt'
import { keyCaller } from '../stages/authenticate'
import type { Endpoint } from '../stages/endpoint'
import { startTiming } from '../timing'
import { Conversation } from './conversation'
import { holdNext, type Hold, type SessionContext } from './hold'
import { openSession, type OpenedSession } from './open-session'
import { RealtimeSession } from './session'
import { SessionCharges } from './session-charges'

const endpoint: Endpoint = { mode: 'realtime', dialect: 'openai-realtime', caller: 'key', body: 'json', does: 'call' }

/**
 * Opens a session of `/v1/realtime`: first at a channel, then for the client, so that what goes wrong before is a plain response.
 * @throws AppError, UpstreamError: no session was opened and nothing is charged.
 */
export async function openRealtime(incoming: IncomingCall, upgrade: Upgrade | undefined, deps: RelayDeps) {
  const { request } = incoming
  if (!upgrade || !/\bwebsocket\b/i.test(request.headers.get('upgrade') ?? '')) throw new AppError('realtime.upgrade')
  const session = await admitted(incoming, deps)
  const { call, caller } = session
  const rates = rateRules(caller, call.catalog.options)
  await checkRates(deps.limiter, rates)
  const conversation = new Conversation()
  const first = await holdNext(session, conversation.nextResponse(call.place.model), call.requestId)
  const opened = await attemptWith(first.context, (choice) =>
    openSession(first.context, choice, { dialectHeaders: dialectHeaders(request.headers) }),
  )
  if (opened.kind === 'failed') {
    deps.ctx.ledger.release(first.context.reservation)
    throw opened.error
  }
  begin({ session, conversation, first, opened }, upgrade)
  await countSuccess(deps.limiter, rates)
  return switchedProtocols()
}

/** Finds the caller and refuses what may be refused without a channel. */
async function admitted(incoming: IncomingCall, deps: RelayDeps): Promise<SessionContext> {
  const { ctx } = deps
  const caller = await keyCaller(incoming, deps)
  admitCaller(caller, incoming, ctx)
  const model = new URLSearchParams(incoming.query).get('model') ?? ''
  if (model === '') throw new AppError('request.model_missing')
  admitModel(caller, model)
  const call: ModelCall = { ...incoming, dialect: endpoint.dialect, endpoint, place: { model, isStream: true } }
  return { deps, call, caller, body: bodyOf({ model }), records: [], timing: startTiming(ctx, call.trace) }
}

/** Everything a session is made of. */
interface Parts {
  readonly session: SessionContext
  readonly conversation: Conversation
  readonly first: Hold
  readonly opened: Answered<OpenedSession>
}

function begin({ session, conversation, first, opened }: Parts, upgrade: Upgrade): void {
  const { deps, call } = session
  const { inFlight } = deps
  const { choice, slot, answer } = opened
  const served = { choice, prepared: answer.prepared }
  const leave = inFlight.enter()
  const realtime = new RealtimeSession({
    session,
    served,
    slot,
    conversation,
    upstream: answer.socket,
    translation: sessionTranslation(answer.prepared.description.dialect, {
      model: answer.prepared.upstreamModel,
      newId: (prefix) => newAnswerId(deps.ctx, prefix),
    }),
    charges: new SessionCharges({ session, served, conversation, first }),
    over() {
      inFlight.upstreams.remove(realtime)
      inFlight.sessions.remove(realtime)
      leave()
    },
  })
  inFlight.upstreams.add(realtime)
  inFlight.sessions.add(realtime)
  if (!upgrade(call.request, handlerOf(realtime), responseHeaders(call))) {
    realtime.clientClosed()
    throw new AppError('realtime.upgrade')
  }
  answer.inbox.readBy(realtime)
}

const handlerOf = (session: RealtimeSession): SocketHandler => ({
  opened: (client) => session.clientOpened(client),
  message: (text) => session.fromClient(text),
  drained: () => session.clientDrained(),
  closed: () => session.clientClosed(),
})

const protocol = 'realtime'
const protocolsOf = (headers: Headers): string[] =>
  (headers.get('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim())

/** The protocol that carries a key is not repeated to the client. */
const responseHeaders = ({ request, requestId }: ModelCall): Record<string, string> => ({
  [requestIdHeader]: requestId,
  ...(protocolsOf(request.headers).includes(protocol) && { 'sec-websocket-protocol': protocol }),
})

/** Browsers cannot set the header by which a client asks for the events of the beta. */
function dialectHeaders(headers: Headers): Record<string, string> {
  const beta = headers.get('openai-beta')
  const asksForBeta = beta?.includes('realtime=v1') || protocolsOf(headers).includes('openai-beta.realtime-v1')
  return asksForBeta ? { 'openai-beta': 'realtime=v1' } : {}
}
