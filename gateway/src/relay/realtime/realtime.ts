import { sessionTranslation, type JsonObject } from '@tollgate/dialects'

import { AppError } from '../../app-error'
import type { Catalog } from '../../catalog/catalog'
import type { Context } from '../../context'
import { switchedProtocols, type SocketHandler, type Upgrade } from '../../http/request/client-socket'
import { newAnswerId } from '../../http/request/request-id'
import { checkRates, countSuccess } from '../admission/rate-limits'
import type { Answered } from '../attempt/attempts'
import type { IncomingCall, ModelCall } from '../call'
import type { RelayDeps } from '../call-context'
import { withBrowserHeaders } from '../delivery/browser-headers'
import { callHeaders } from '../delivery/call-headers'
import { attemptWith } from '../stages/attempt'
import { admittedSession } from './admitted-session'
import { isTranscription } from './checked-event'
import { createClientSecret, sessionCaller, type SessionCaller } from './client-secrets'
import { Conversation } from './conversation'
import type { Hold, SessionContext } from './hold'
import { OpenSessions } from './open-sessions'
import { openSession, type OpenedSession } from './open-session'
import { RealtimeSession } from './session'
import { firstHold, SessionCharges } from './session-charges'

/** The addresses of sessions. */
export async function realtime(call: IncomingCall, upgrade: Upgrade | undefined, deps: RelayDeps): Promise<Response> {
  if (call.path !== '/v1/realtime') return withBrowserHeaders(await createClientSecret(call, deps))
  return openRealtime(call, upgrade, deps)
}

/**
 * Opens a session: first at a channel, then for the client, so that what goes wrong before is a plain response.
 * @throws AppError, UpstreamError: no session was opened and nothing is charged.
 */
async function openRealtime(incoming: IncomingCall, upgrade: Upgrade | undefined, deps: RelayDeps): Promise<Response> {
  const { request } = incoming
  if (!upgrade || !/\bwebsocket\b/i.test(request.headers.get('upgrade') ?? '')) throw new AppError('realtime.upgrade')
  const { caller, granted } = await sessionCaller(incoming, deps)
  const session = admittedSession(incoming, caller, modelOf(incoming, granted), deps)
  const { call } = session
  const rates = await checkRates(call, caller, deps)
  const leave = await openSessionsOf(deps.ctx).enter(call.requestId, caller)
  try {
    const conversation = new Conversation(keptLength(call.catalog))
    const first = await firstHold(session, conversation.nextResponse(call.place.model), call.requestId)
    const opened = await openedAt(first, request.headers)
    begin({ session, conversation, first, opened, configuration: granted?.configuration ?? null, leave }, upgrade)
  } catch (error) {
    leave()
    throw error
  }
  await countSuccess(deps.limiter, rates)
  return switchedProtocols()
}

/** What the log keeps of the input of one response. */
const longestLogged = 256 * 1024

const keptLength = ({ options }: Pick<Catalog, 'options'>): number =>
  options.LogChatContentEnabled && options.LogConsumeEnabled ? longestLogged : 0

/** The SDK names either a model or this intent. */
const usualTranscriber = 'gpt-4o-transcribe'

/** Returns the model of a session. @throws AppError `caller.model` for another one than its secret is for. */
function modelOf({ query }: IncomingCall, granted: SessionCaller['granted']): string {
  const parameters = new URLSearchParams(query)
  // Azure's clients of the beta name a deployment.
  const named = parameters.get('model') ?? parameters.get('deployment') ?? ''
  if (!granted) return named || (isTranscription(query) ? usualTranscriber : '')
  if (named !== '' && named !== granted.model) throw new AppError('caller.model', { params: { model: named } })
  return granted.model
}

const known = new WeakMap<Context, OpenSessions>()

function openSessionsOf(ctx: Context): OpenSessions {
  let open = known.get(ctx)
  if (!open) known.set(ctx, (open = new OpenSessions(ctx)))
  return open
}

/** Resolves with the session at the first channel that serves. What is held is released when none does. */
async function openedAt({ context }: Hold, headers: Headers): Promise<Answered<OpenedSession>> {
  const wanted = { dialectHeaders: dialectHeaders(headers) }
  const opened = await attemptWith(context, (choice) => openSession(context, choice, wanted))
  if (opened.kind === 'answered') return opened
  context.deps.ctx.ledger.release(context.reservation)
  throw opened.error
}

/** The parts of a session. */
interface Parts {
  readonly session: SessionContext
  readonly conversation: Conversation
  readonly first: Hold
  readonly opened: Answered<OpenedSession>
  /** The configuration of the secret; null without one. */
  readonly configuration: JsonObject | null
  /** Called once when the session is over. */
  readonly leave: () => void
}

function begin({ session, conversation, first, opened, configuration, leave }: Parts, upgrade: Upgrade): void {
  const { deps, call } = session
  const { inFlight } = deps
  const { choice, slot, answer } = opened
  const served = { choice, prepared: answer.prepared }
  const leaveFlight = inFlight.enter()
  const room = inFlight.memory.open(session.caller.payer.userId)
  const realtime = new RealtimeSession({
    session,
    served,
    slot,
    conversation,
    configuration,
    upstream: answer.socket,
    translation: sessionTranslation(answer.prepared.description.dialect, {
      model: answer.prepared.upstreamModel,
      newId: (prefix) => newAnswerId(deps.ctx, prefix),
    }),
    room,
    charges: new SessionCharges({ session, served, conversation, first }),
    over() {
      inFlight.upstreams.remove(realtime)
      inFlight.sessions.remove(realtime)
      room[Symbol.dispose]()
      leaveFlight()
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
const responseHeaders = (call: ModelCall): Record<string, string> => ({
  ...callHeaders(call),
  ...(protocolsOf(call.request.headers).includes(protocol) && { 'sec-websocket-protocol': protocol }),
})

/** Browsers cannot set the header by which a client asks for the events of the beta. */
function dialectHeaders(headers: Headers): Record<string, string> {
  const beta = headers.get('openai-beta')
  const asksForBeta = beta?.includes('realtime=v1') || protocolsOf(headers).includes('openai-beta.realtime-v1')
  return asksForBeta ? { 'openai-beta': 'realtime=v1' } : {}
}
