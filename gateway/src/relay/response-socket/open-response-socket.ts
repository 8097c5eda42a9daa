import { AppError } from '../../platform/app-error'
import { switchedProtocols, type Upgrade } from '../../http/request/client-socket'
import type { IncomingCall } from '../call'
import { callHeaders } from '../delivery/response-headers'
import { openSessionsOf } from '../sessions/open-sessions'
import { admitCaller } from '../stages/admit'
import { keyCaller } from '../stages/authenticate'
import { ResponseSocket, type ResponseSocketOptions } from './response-socket'

/**
 * Opens a WebSocket for turns, for a caller who may call. Who has as many as allowed is sent to HTTP: after a 426 agents go on there at once.
 * https://developers.openai.com/api/docs/guides/websocket-mode
 * @throws AppError
 */
export async function openResponseSocket(
  call: IncomingCall,
  upgrade: Upgrade | undefined,
  { deps, respond }: Pick<ResponseSocketOptions, 'deps' | 'respond'>,
): Promise<Response> {
  if (!upgrade) throw new AppError('endpoint.upgrade')
  const caller = await keyCaller(call, deps)
  admitCaller(caller, call, deps.ctx)
  const leave = await openSessionsOf(deps.ctx).enter(call.requestId, caller, 'socket.connections')
  const socket = new ResponseSocket({ call, caller, deps, respond, leave })
  if (!upgrade(call.request, socket, { ...callHeaders(call), ...chosenProtocol(call.request) })) {
    socket.onClose()
    throw new AppError('endpoint.upgrade')
  }
  return switchedProtocols()
}

/** Browsers close a connection whose server takes none of their protocols. The one that carries a key is not repeated. */
function chosenProtocol({ headers }: Request): Record<string, string> {
  const offered = headers.get('sec-websocket-protocol')?.split(',') ?? []
  const usable = offered.map((name) => name.trim()).find((name) => name !== '' && !name.startsWith('openai-'))
  return usable === undefined ? {} : { 'sec-websocket-protocol': usable }
}
