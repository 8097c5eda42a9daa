import { openAiProtocol } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import { switchedProtocols, type SocketHandler, type Upgrade } from '../../http/request/client-socket'
import { checkRates, countSuccess } from '../admission/rate-limits'
import type { IncomingCall, ModelCall } from '../call'
import type { RelayDeps } from '../call-context'
import { isLivePath } from '../stages/endpoint'
import { callHeaders, withBrowserHeaders } from '../delivery/response-headers'
import { admittedSession, realtimeEndpoint } from './admitted-session'
import { protocolsOf, requestsBeta } from './beta'
import { isTranscription } from './checked-event'
import { createClientSecret, sessionCaller, type SessionCaller } from './client-secrets'
import { Conversation } from './conversation'
import { openLive } from './live'
import { openSessionsOf } from '../sessions/open-sessions'
import type { OpenedSession } from './open-session'
import type { RealtimeSession } from './session'
import { loggedInputLength, openWithChain, startSession } from './start-session'

/** The addresses of sessions. */
export async function realtime(call: IncomingCall, upgrade: Upgrade | undefined, deps: RelayDeps): Promise<Response> {
  if (isLivePath(call.path)) return openLive(call, upgrade, deps)
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
  const admitted = admittedSession(
    incoming,
    caller,
    { model: modelOf(incoming, granted), endpoint: realtimeEndpoint },
    deps,
  )
  const { call } = admitted
  const rates = await checkRates(call, caller, deps)
  const leave = await openSessionsOf(deps.ctx).enter(call.requestId, caller, 'realtime.sessions')
  try {
    const conversation = new Conversation(loggedInputLength(call.catalog))
    const start = await openWithChain(admitted, conversation, dialectHeaders(request.headers))
    const configuration = granted?.configuration ?? null
    const sessionDeps = { ...start, conversation, protocol: openAiProtocol, configuration, leave }
    begin(startSession(sessionDeps), start.opened.response, call, upgrade)
  } catch (error) {
    leave()
    throw error
  }
  await countSuccess(deps.limiter, rates)
  return switchedProtocols()
}

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

function begin(realtime: RealtimeSession, { inbox }: OpenedSession, call: ModelCall, upgrade: Upgrade): void {
  if (!upgrade(call.request, handlerOf(realtime), responseHeaders(call))) {
    realtime.clientClosed()
    throw new AppError('realtime.upgrade')
  }
  inbox.readBy(realtime)
}

const handlerOf = (session: RealtimeSession): SocketHandler => ({
  onOpen: (client) => session.clientOpened(client),
  message: (text) => session.fromClient(text),
  onDrain: () => session.clientDrained(),
  onClose: () => session.clientClosed(),
})

const protocol = 'realtime'

/** The protocol that carries a key is not repeated to the client. */
const responseHeaders = (call: ModelCall): Record<string, string> => ({
  ...callHeaders(call),
  ...(protocolsOf(call.request.headers).includes(protocol) && { 'sec-websocket-protocol': protocol }),
})

const dialectHeaders = (headers: Headers): Record<string, string> =>
  requestsBeta(headers) ? { 'openai-beta': 'realtime=v1' } : {}
