import { maxFileMegabytes } from '@tollgate/contract'

import type { Config } from '../../platform/config/config'
import {
  unlessSwitched,
  upgradeOf,
  webSockets,
  type SocketHandler,
  type Upgrade,
} from '../../http/request/client-socket'
import { StartError } from '../../platform/config/start-error'
import { systemTimers } from '../../platform/time/timers'

/** Handles requests; receives the socket's peer. */
export type Fetch = (
  request: Request,
  peer: { readonly address: string; readonly upgrade: Upgrade },
) => Response | Promise<Response>

/** Listens on one address, or on both of `localhost`. */
export interface Server {
  /** Without a trailing slash. */
  readonly url: string
  readonly port: number
  stop(closesConnections?: boolean): Promise<void>
}

/** A body above the limit still reaches the app, which refuses it in the caller's dialect. */
const bodyMarginBytes = 8 * 1024 * 1024
/** Files are kept as they arrive, so their length does not count as memory; every other reader of bodies has its own limit. */
const maxUploadBytes = maxFileMegabytes * 1024 * 1024
/** Longer than proxies and SDKs keep idle connections, so that it is they who close them. */
const idleSeconds = 240

export interface ListenOptions {
  readonly keepAliveSeconds?: number
  /** Called with what no handler expected; the client learns only that it failed. */
  readonly onFailure?: (error: unknown) => void
}

/**
 * Listens as configured. The timeout for the head of a request is the runtime's: ten seconds. A connection on which nothing is written for
 * `keptSeconds` after a response began is closed, also one whose client does not read; while a response is awaited it is kept.
 * @throws StartError when the address cannot be listened on.
 */
export function listen(config: Config, fetch: Fetch, options: ListenOptions = {}): Server {
  const serve = (hostname: string, port: number) => serveOn({ ...config, host: hostname, port }, fetch, options)
  if (config.host !== 'localhost') return joinServers([serve(config.host, config.port)])
  // Programs that resolve `localhost` get either address first.
  const first = serve('127.0.0.1', config.port)
  try {
    return joinServers([first, serve('::1', portOf(first))])
  } catch (error) {
    if (!(error instanceof StartError) || codeOf(error.cause) !== 'EADDRINUSE') return joinServers([first])
    void first.stop(true)
    throw error
  }
}

const portOf = (server: Bun.Server<SocketHandler>): number => server.port ?? 0

function joinServers(servers: readonly Bun.Server<SocketHandler>[]): Server {
  const [first] = servers
  if (!first) throw new Error('Nothing listens')
  return {
    url: String(first.url).replace(/\/$/, ''),
    port: portOf(first),
    stop: async (closesConnections) =>
      void (await Promise.all(servers.map((server) => server.stop(closesConnections)))),
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

function serveOn(config: Config, fetch: Fetch, { keepAliveSeconds = idleSeconds, onFailure }: ListenOptions) {
  const { host, port } = config
  const addresses = new Addresses()
  // A stream that may be silent for longer must not be cut by this.
  const isClosing = config.streamIdleTimeoutMs < keepAliveSeconds * 1000
  try {
    const server = Bun.serve<SocketHandler>({
      hostname: host,
      port,
      reusePort: config.workers > 1,
      idleTimeout: 0,
      maxRequestBodySize: Math.max(config.maxRequestBodyBytes, maxUploadBytes) + bodyMarginBytes,
      websocket: webSockets(systemTimers, config.memoryInFlight),
      // Otherwise a failure is answered with a page of the sources.
      development: false,
      error(error) {
        onFailure?.(error)
        return unexpectedFailure()
      },
      async fetch(request) {
        const readable = addresses.readable(request)
        if (readable === null) return unreadableHost()
        const response = await fetch(readable, { address: server.requestIP(request)?.address ?? '', upgrade })
        if (isClosing && response.status !== 101) server.timeout(request, keepAliveSeconds)
        return unlessSwitched(response)
      },
    })
    const upgrade = upgradeOf(server)
    return server
  } catch (cause) {
    throw new StartError(`Tollgate cannot listen on ${host}:${port}: ${describeListenError(cause)}`, { cause })
  }
}

function describeListenError(error: unknown): string {
  const code = codeOf(error)
  if (code === 'EADDRINUSE') return 'another program does. Stop it, or set PORT.'
  if (code === 'EADDRNOTAVAIL') return 'this machine does not have the address. Set HOST, to 0.0.0.0 for all it has.'
  if (code === 'EACCES') return 'the user may not. Set a PORT above 1023, or give the user the right.'
  return `${error instanceof Error ? error.message : String(error)}. Set HOST and PORT.`
}

class Addresses {
  /** Scheme and host of the last address that could be read: with any path behind them an address can be. */
  #known = ' '

  /**
   * Returns a request whose address can be read by everything behind the socket; null for one that names several hosts, or one that cannot be. The head of a
   * request without a host, as HTTP/1.0 has it and the checks of old balancers send it, is for this machine.
   */
  readable(request: Request): Request | null {
    const { url } = request
    const host = request.headers.get('host')
    // Several Host headers arrive as one: https://www.rfc-editor.org/rfc/rfc9112#section-3.2
    if (host?.includes(',')) return null
    if (url.startsWith(this.#known)) return request
    if (URL.canParse(url)) {
      this.#known = `${new URL(url).origin}/`
      return request
    }
    if (host) return null
    return URL.canParse(url, noHost) ? new Request(new URL(url, noHost), request) : null
  }
}

const noHost = 'http://localhost'

/** In the form of every API that may have been called: the path says which, but not to whom. */
const unreadableHost = (): Response =>
  refusal(400, 'The Host header of the request is not a host.', 'request.host', 'invalid_request_error')

/** For what no handler expected. What it was stands in the log alone. */
const unexpectedFailure = (): Response =>
  refusal(500, 'The request failed unexpectedly.', 'server.error', 'server_error')

const refusal = (status: number, message: string, code: string, type: string): Response =>
  Response.json({ success: false, message, code, error: { message, type, code, param: null } }, { status })
