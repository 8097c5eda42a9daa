import type { Config } from '../../platform/config/config'
import type { Timers } from '../../platform/time/timers'

/** A WebSocket of a client. */
export interface ClientSocket {
  /** Returns false while the client is behind; `drained` is called when it has caught up. */
  send(text: string): boolean
  /** Closes after what was sent; a client that does not read it is disconnected soon after. */
  close(code: number, reason: string): void
}

/** Called for what happens on a WebSocket of a client. */
export interface SocketHandler {
  onOpen(socket: ClientSocket): void
  /** Receives each whole message; null for one that is not text. */
  message(text: string | null): void
  onDrain(): void
  /** Called once. */
  onClose(): void
}

/** Turns the connection of a request into a WebSocket. Returns false for a request that does not ask for one. */
export type Upgrade = (request: Request, handler: SocketHandler, headers: Record<string, string>) => boolean

/** OpenAI takes 15 MiB of audio in one event, which are 20 in base64. */
const maxMessageBytes = 24 * 1024 * 1024
/** Sessions that a user may have open, unless the site says otherwise. */
const usualSessions = 20
/** What may wait for a client. Senders stop long before. */
const maxWaitingBytes = 64 * 1024 * 1024
/** After this time without a message or the answer to a ping a client is gone. */
const idleSeconds = 120
const closingMs = 2_000

class AcceptedSocket implements ClientSocket {
  constructor(
    private readonly socket: Bun.ServerWebSocket<SocketHandler>,
    private readonly timers: Timers,
  ) {}

  send(text: string): boolean {
    return this.socket.sendText(text) > 0
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason)
    this.timers.after(closingMs, () => this.socket.terminate())
  }
}

/**
 * Returns the longest message. The runtime shows whole messages only, so what arrived of one cannot be counted: the messages of all sessions of
 * a user must fit into the user's share.
 */
const maxPayloadBytes = ({ ofUser }: Pick<Config['memoryInFlight'], 'ofUser'>): number =>
  Math.min(maxMessageBytes, Math.floor(ofUser / usualSessions))

/** The WebSockets of a server. Compression is not offered: a small packed message may unpack to any size. */
export const webSockets = (
  timers: Timers,
  memory: Pick<Config['memoryInFlight'], 'ofUser'>,
): Bun.WebSocketHandler<SocketHandler> => ({
  maxPayloadLength: maxPayloadBytes(memory),
  backpressureLimit: maxWaitingBytes,
  closeOnBackpressureLimit: true,
  idleTimeout: idleSeconds,
  sendPings: true,
  perMessageDeflate: false,
  open: (socket) => socket.data.onOpen(new AcceptedSocket(socket, timers)),
  message: (socket, message) => socket.data.message(typeof message === 'string' ? message : null),
  drain: (socket) => socket.data.onDrain(),
  close: (socket) => socket.data.onClose(),
})

/** Returns how requests of a server become WebSockets. */
export const upgradeOf =
  (server: Bun.Server<SocketHandler>): Upgrade =>
  (request, handler, headers) =>
    server.upgrade(request, { data: handler, headers })

/** Returned for a request whose connection is a WebSocket now: there is no response to write. */
export const switchedProtocols = (): Response => new Response(null, { status: 101 })

/** Returns what the server responds; nothing for a connection that is a WebSocket now. */
export const unlessSwitched = (response: Response): Response | undefined =>
  response.status === 101 ? undefined : response
