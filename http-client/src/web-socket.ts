import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'

import { MalformedResponse } from './response-head'
import { ResponseBody, type Bytes } from './response-body'
import { Cancelled, type Cancellation } from './cancellation'
import { ConnectTimeout } from './connection'
import type { UpstreamResponse } from './exchange'
import { checkResolvedAddress, checkWrittenAddress } from './forbidden-address'
import type { UpstreamRequest } from './upstream-request'
import type { Timers } from './time'

/** An open WebSocket to an upstream. */
export interface UpstreamSocket {
  send(message: string): void
  /** What was sent and not taken by the network. */
  readonly bufferedBytes: number
  /** Stops reading, so that the upstream waits. */
  pause(): void
  resume(): void
  /** Closes in order; an upstream that does not close its side is left soon after. */
  close(): void
  /** Ends the connection at once. */
  destroy(): void
}

export interface SocketListener {
  /** Called with each whole message. */
  message(bytes: Bytes): void
  /** Called once when the connection is over, unless it was destroyed. Null: the upstream closed it in order. */
  onClose(problem: Error | null): void
}

/** Thrown when the upstream responds to the handshake over plain HTTP. */
export class HandshakeRefused extends Error {
  override readonly name = 'HandshakeRefused'
  constructor(readonly response: UpstreamResponse) {
    super(`The upstream refused the WebSocket with status ${response.status}`)
  }
}

interface Deps {
  readonly connectTimeoutMs: number
  readonly ownPort: number
  /** The environment names a proxy, which resolves names itself. */
  readonly usesProxy: boolean
  readonly timers: Timers
}

/** More than any event with audio in it. */
const maxMessageBytes = 16 * 1024 * 1024
/** Pings in a row without a message: each costs a pong. */
const maxPings = 1_000
const closingMs = 500
/** Closed for a purpose fulfilled, by an upstream that goes away, or without a reason. */
const orderlyCodes: ReadonlySet<number> = new Set([1000, 1001, 1005])

/**
 * Opens a WebSocket, through the proxy of the request where it has one.
 * @throws HandshakeRefused, ConnectTimeout, ForbiddenAddress, Error of the connection, Cancelled.
 */
export async function openSocket(
  { url, headers, proxy }: Pick<UpstreamRequest, 'url' | 'headers' | 'proxy'>,
  listener: SocketListener,
  cancellation: Cancellation,
  { connectTimeoutMs, ownPort, usesProxy, timers }: Deps,
): Promise<UpstreamSocket> {
  if (proxy !== undefined) checkWrittenAddress(proxy, ownPort)
  if (proxy !== undefined || usesProxy) checkWrittenAddress(url, ownPort)
  else await checkResolvedAddress(new URL(url), ownPort)
  const { WebSocket } = await import('ws')
  if (cancellation.isCancelled) throw new Cancelled()
  const socket = new WebSocket(url, {
    headers,
    maxPayload: maxMessageBytes,
    // A small packed message could unpack to any size.
    perMessageDeflate: false,
    ...(proxy !== undefined && { proxy }),
  })
  return new Opening(socket, listener, cancellation, { timers, connectTimeoutMs }).opened
}

/** The upstream ended a connection before its purpose was fulfilled. */
export class SocketClosed extends Error {
  override readonly name = 'SocketClosed'

  constructor(
    readonly code: number,
    readonly reason: string,
  ) {
    super(`The WebSocket broke with code ${code}`)
  }
}

/** A connection from its first packet to its last. */
class Opening implements UpstreamSocket {
  readonly #opened = Promise.withResolvers<UpstreamSocket>()
  readonly #timers: Timers
  readonly #cancelTimeout: () => void
  #isOpen = false
  #isOver = false
  #pings = 0
  /** The body of the response that refused the handshake. */
  #refusal: ResponseBody | null = null

  constructor(
    private readonly socket: WebSocket,
    private readonly listener: SocketListener,
    private readonly cancellation: Cancellation,
    { timers, connectTimeoutMs }: Pick<Deps, 'timers' | 'connectTimeoutMs'>,
  ) {
    this.#timers = timers
    this.#cancelTimeout = timers.after(connectTimeoutMs, () => this.#fail(new ConnectTimeout()))
    cancellation.onCancel(this.#cancel)
    socket
      .on('open', () => this.#open())
      .on('message', (bytes) => this.#message(bytes))
      .on('ping', () => this.#ping())
      .on('unexpected-response', (_request, response) => this.#handleRefusal(response))
      .on('error', (error) => this.#fail(error))
      .on('close', (code, reason) => this.#handleClose(code, String(reason)))
  }

  get opened(): Promise<UpstreamSocket> {
    return this.#opened.promise
  }

  send(message: string): void {
    if (!this.#isOver) this.socket.send(message)
  }

  get bufferedBytes(): number {
    return this.socket.bufferedAmount
  }

  pause(): void {
    if (!this.#isOver) this.socket.pause()
  }

  resume(): void {
    if (!this.#isOver) this.socket.resume()
  }

  close(): void {
    if (this.#isOver) return
    this.#end()
    this.socket.close(1000)
    this.#timers.after(closingMs, () => this.socket.terminate())
  }

  destroy(): void {
    this.#end()
    this.socket.terminate()
  }

  readonly #cancel = (): void => this.#fail(new Cancelled())

  #open() {
    if (this.#isOver) return
    this.#isOpen = true
    this.#cancelTimeout()
    this.#opened.resolve(this)
  }

  #message(bytes: Bytes) {
    this.#pings = 0
    if (!this.#isOver) this.listener.message(bytes)
  }

  #ping() {
    this.#pings += 1
    if (this.#pings > maxPings) this.#fail(new MalformedResponse('The upstream sends nothing but pings'))
  }

  #handleRefusal(response: IncomingMessage) {
    if (this.#isOver) return
    const body = new ResponseBody({
      pause: () => response.pause(),
      resume: () => response.resume(),
      cancel: () => this.destroy(),
    })
    response.on('data', (bytes: Bytes) => body.push(bytes))
    response.on('end', () => {
      body.end()
      this.destroy()
    })
    response.on('error', (error) => body.fail(error))
    this.#cancelTimeout()
    this.#refusal = body
    const { statusCode: status = 502 } = response
    const headers = new Headers(
      Object.entries(response.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
    )
    this.#opened.reject(new HandshakeRefused({ status, headers, body }))
  }

  #handleClose(code: number, reason: string) {
    if (orderlyCodes.has(code)) {
      if (this.#isOver || !this.#isOpen) return this.#fail(new Error('The upstream closed the WebSocket'))
      this.#end()
      this.listener.onClose(null)
    } else this.#fail(new SocketClosed(code, reason))
  }

  #fail(error: Error) {
    if (this.#isOver) return
    this.destroy()
    if (this.#isOpen) return this.listener.onClose(error)
    this.#refusal?.fail(error)
    this.#opened.reject(error)
  }

  #end() {
    this.#isOver = true
    this.#cancelTimeout()
    this.cancellation.forget(this.#cancel)
  }
}
