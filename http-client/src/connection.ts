import type { Socket } from 'bun'

import type { Bytes } from './response-body'
import { ResponseParser, type ResponseSink } from './response-parser'
import type { ResponseHead } from './response-head'
import type { Exchange } from './exchange'
import { checkAddress } from './forbidden-address'
import { slicesOf } from './upstream-request'
import type { Timers } from './time'

export interface Address {
  /** Without brackets. */
  readonly hostname: string
  readonly port: number
  readonly isSecure: boolean
  /** The gateway's own port, which is never called; 0: unknown. */
  readonly ownPort: number
}

/** Keeps connections that wait for their next call. */
export interface Keeper {
  /** Monotonic milliseconds. */
  now(): number
  readonly timers: Timers
  /** Called when the response is complete and the connection is open. */
  keep(connection: Connection, idleMs: number): void
  /** Called when a kept connection was closed before a byte of the request was written: the request can be made on a new one. */
  again(exchange: Exchange): void
  /** Called when a kept connection was found closed on reuse: the other idle ones are as old. */
  closeIdle(): void
}

/**
 * A connection that closes this soon after being reused was most likely being closed regardless of the call. Later, the close is a
 * response to the call.
 */
const crossingMs = 1_000
const usualIdleMs = 55_000
/** How long a connection is silent before the system checks whether the peer is still there. */
const keepAliveMs = 30_000

/** Slices written in one turn of the event loop: about a tenth of a millisecond each. */
const slicesAtOnce = 2

const announcedIdle = /timeout=(\d{1,6})/

/** A connection to an upstream that serves one exchange after the other. */
export class Connection implements ResponseSink {
  #exchange: Exchange | null = null
  #parser: ResponseParser | null = null
  #unsent: Uint8Array | null = null
  /** The rest of a body in pieces. */
  #slices: Iterator<Uint8Array, void> | null = null
  #isClosed = false
  #isPaused = false
  #hasServed = false
  /** Whether bytes of the exchange in flight were sent. */
  #hasSent = false
  #startedAt = 0
  #idleMs = usualIdleMs

  private constructor(
    private readonly socket: Socket<Connection | null>,
    private readonly keeper: Keeper,
  ) {}

  /**
   * Connects, over TLS where the address says so; the certificate must be the host's.
   * @throws Error when the host cannot be found or reached, its certificate is not valid, or the time is over.
   */
  static open(address: Address, keeper: Keeper, timeoutMs: number): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    const cancel = keeper.timers.after(timeoutMs, () => reject(new ConnectTimeout()))
    const onOpen = (socket: Socket<Connection | null>, problem: Error | null) => {
      if (problem) return reject(problem)
      socket.setNoDelay(true)
      socket.setKeepAlive(true, keepAliveMs)
      const connection = new Connection(socket, keeper)
      socket.data = connection
      resolve(connection)
    }
    const onEnd = (socket: Socket<Connection | null>, problem?: Error) =>
      socket.data
        ? socket.data.handleClose(problem)
        : reject(problem ?? new Error('The connection ended before it was established'))
    const connecting = Bun.connect<Connection | null>({
      hostname: address.hostname,
      port: address.port,
      tls: address.isSecure,
      data: null,
      socket: {
        data: (socket, bytes: Buffer<ArrayBuffer>) => socket.data?.receive(bytes),
        drain: (socket) => socket.data?.flush(),
        end: (socket) => onEnd(socket),
        close: onEnd,
        error: onEnd,
        open: (socket) => {
          const problem = problemOf(socket, address)
          if (problem || !address.isSecure) onOpen(socket, problem)
        },
        // An operator may have told the runtime to trust every authority: then an error is reported, but the certificate counts as valid.
        handshake: (socket, isSuccess, problem) =>
          onOpen(socket, isSuccess ? null : (problem ?? new Error('TLS failed'))),
      },
    })
    connecting.catch(reject)
    return promise.finally(cancel).catch((error: unknown) => {
      connecting.then((socket) => socket.terminate()).catch(() => {})
      throw error
    })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Sends the request of an exchange, which receives the response. Only while no other exchange is in flight. */
  serve(exchange: Exchange): void {
    this.#exchange = exchange
    this.#parser = new ResponseParser(this)
    this.#startedAt = this.keeper.now()
    this.#hasSent = false
    exchange.startOn(this)
    const { request } = exchange
    if (typeof request === 'string') return this.#send(request)
    this.#slices = slicesOf(request)
    this.#sendSlices()
  }

  pause(): void {
    if (this.#isClosed) return
    this.#isPaused = true
    this.socket.pause()
  }

  resume(): void {
    if (this.#isClosed || !this.#isPaused) return
    this.#isPaused = false
    this.socket.resume()
  }

  /** Closes the unused connection. Only while no exchange is in flight. */
  close(): void {
    this.#isClosed = true
    this.socket.end()
  }

  /** Closes the connection at once; an exchange in flight fails. */
  destroy(): void {
    this.#exchange = null
    this.#isClosed = true
    this.socket.terminate()
  }

  receive(bytes: Buffer<ArrayBuffer>): void {
    // Unsolicited bytes: close the connection.
    if (!this.#exchange || !this.#parser) return this.destroy()
    const exchange = this.#exchange
    try {
      this.#parser.push(bytes)
    } catch (error) {
      this.destroy()
      exchange.fail(error as Error)
    }
  }

  flush(): void {
    if (this.#unsent) this.#send(this.#unsent)
    if (this.#slices) this.#sendSlices()
  }

  /** Called when the upstream ended the connection, or it broke. */
  handleClose(problem?: Error): void {
    this.#isClosed = true
    const exchange = this.#exchange
    if (!exchange) return
    try {
      if (problem) throw problem
      this.#parser?.close()
    } catch (error) {
      this.#exchange = null
      this.#failExchange(exchange, error as Error)
    }
  }

  /**
   * A request that may have been read is not repeated automatically: a POST is not idempotent (RFC 9110, section 9.2.2), and the caller of
   * this client can log both attempts.
   */
  #failExchange(exchange: Exchange, error: Error) {
    const isStale = this.#hasServed && !exchange.hasResponse && this.keeper.now() - this.#startedAt < crossingMs
    if (!isStale) return exchange.fail(error)
    this.keeper.closeIdle()
    if (this.#hasSent) exchange.fail(new StaleConnection(error))
    else this.keeper.again(exchange)
  }

  /** Sends until the peer accepts no more for now, yielding to other work in between. */
  #sendSlices() {
    let left = slicesAtOnce
    while (this.#slices !== null && this.#unsent === null && !this.#isClosed) {
      if (left === 0) {
        this.keeper.timers.soon(() => this.#sendSlices())
        return
      }
      left -= 1
      const { done, value } = this.#slices.next()
      if (done) this.#slices = null
      else this.#send(value)
    }
  }

  #send(bytes: string | Uint8Array) {
    const written = this.socket.write(bytes)
    // The close event reports it.
    if (written < 0) return
    this.#hasSent ||= written > 0
    const all = typeof bytes === 'string' && written < Buffer.byteLength(bytes) ? Buffer.from(bytes) : bytes
    this.#unsent = written < all.length && typeof all !== 'string' ? all.subarray(written) : null
  }

  head(head: ResponseHead): void {
    const announced = announcedIdle.exec(head.headers.get('keep-alive') ?? '')
    this.#idleMs = Math.min(announced ? Number(announced[1]) * 1000 - crossingMs : usualIdleMs, usualIdleMs)
    this.#exchange?.head(head)
  }

  body(bytes: Bytes): void {
    this.#exchange?.body(bytes)
  }

  end(isReusable: boolean): void {
    const exchange = this.#exchange
    const isUsable = isReusable && this.#unsent === null && this.#slices === null && exchange !== null
    this.#exchange = null
    this.#parser = null
    this.#hasServed = true
    // The reader may have paused the connection before the end, and can no longer resume it.
    this.resume()
    if (isUsable) this.keeper.keep(this, this.#idleMs)
    else this.destroy()
    exchange?.end()
  }
}

/** Judged by the peer's address, so that a name which resolves differently each time gains nothing. */
function problemOf(socket: Socket<Connection | null>, { port, ownPort }: Address): Error | null {
  try {
    checkAddress(socket.remoteAddress, port, ownPort)
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error('The address cannot be used')
  }
}

/** A kept connection was closed when it was reused, without a byte of a response. Most likely the upstream had already timed it out. */
export class StaleConnection extends Error {
  override readonly name = 'StaleConnection'
  constructor(cause: Error) {
    super('The upstream closed a kept connection as it was used again', { cause })
  }
}

/** No connection was established in time. */
export class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout'
  constructor() {
    super('The connect time limit was reached')
  }
}
