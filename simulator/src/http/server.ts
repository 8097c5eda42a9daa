import type { Socket } from 'bun'

import { RequestReader, WireError, type WireRequest } from './request-reader'
import { firstClientText, handshakeAccepted } from './web-socket-frames'

/** One request and the raw way back: whatever is written goes to the socket as it is. */
export interface Exchange {
  readonly request: WireRequest
  /** Resolves when the kernel took the bytes; at once when the client has gone. */
  write(bytes: Buffer): void | Promise<void>
  /** The client closed or reset the connection before `end`. */
  readonly isGone: boolean
  /** Called once when the client goes; at once when it has gone already. */
  onGone(listener: () => void): void
  /** Resolves after the time, or as soon as the client goes. Zero or less does not wait. */
  wait(milliseconds: number): void | Promise<void>
  /** The answer is complete; the connection serves the next request. */
  end(): void
  /** Close politely, whatever was promised. */
  close(): void
  /** Reset the connection (RST). */
  reset(): void
}

/** Runs something after some milliseconds. Returns a function that cancels it. */
export type After = (milliseconds: number, work: () => void) => () => void

export interface HttpServer {
  readonly port: number
  stop(): Promise<void>
}

type Client = Socket<Connection>

const realAfter: After = (milliseconds, work) => {
  const timer = setTimeout(work, milliseconds)
  return () => clearTimeout(timer)
}

/**
 * An HTTP/1.1 server that keeps its hands off the answer, so that every fault a network can show can be shown on purpose:
 * resets, half answers, frames cut anywhere. The handler must end, close or reset each exchange.
 */
export function listen(
  { hostname, port, after = realAfter }: { hostname: string; port: number; after?: After | undefined },
  handle: (exchange: Exchange) => void | Promise<void>,
): HttpServer {
  const clients = new Set<Client>()
  const server = Bun.listen<Connection>({
    hostname,
    port,
    socket: {
      open(socket) {
        socket.setNoDelay(true)
        socket.data = new Connection(socket, handle, after)
        clients.add(socket)
      },
      data(socket, bytes) {
        socket.data.receive(bytes)
      },
      drain(socket) {
        socket.data.resumeWrites()
      },
      close(socket) {
        clients.delete(socket)
        socket.data.handleClose()
      },
      error(socket) {
        socket.terminate()
      },
    },
  })
  return {
    port: server.port,
    async stop() {
      server.stop()
      for (const socket of clients) socket.terminate()
    },
  }
}

class Connection {
  readonly #reader = new RequestReader()
  readonly #unsent: Buffer[] = []
  #whenSent: PromiseWithResolvers<void> | null = null
  #current: CurrentExchange | null = null
  #isClosed = false

  constructor(
    private readonly socket: Client,
    private readonly handle: (exchange: Exchange) => void | Promise<void>,
    readonly after: After,
  ) {}

  /** Over a WebSocket the first message is the body; later ones are not read. */
  #handshake: WireRequest | null = null
  #messages = Buffer.alloc(0)

  receive(bytes: Buffer): void {
    if (this.#handshake) {
      this.#serveMessage(this.#handshake, bytes)
      return
    }
    this.#reader.push(bytes)
    this.#serveNext()
  }

  #serveNext(): void {
    if (this.#current || this.#isClosed) return
    try {
      const request = this.#reader.next()
      if (!request) {
        if (this.#reader.isAwaitingContinue) this.socket.write('HTTP/1.1 100 Continue\r\n\r\n')
        return
      }
      if (request.headers['upgrade']?.toLowerCase() === 'websocket') {
        this.#handshake = request
        this.socket.write(handshakeAccepted(request.headers['sec-websocket-key'] ?? ''))
        return
      }
      this.#begin(request)
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      this.socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    }
  }

  #serveMessage(handshake: WireRequest, bytes: Buffer): void {
    if (this.#current) return
    this.#messages = Buffer.concat([this.#messages, bytes])
    const text = firstClientText(this.#messages)
    if (text !== null) this.#begin({ ...handshake, body: Buffer.from(text) })
  }

  #begin(request: WireRequest): void {
    this.#current = new CurrentExchange(request, this)
    void this.handle(this.#current)
  }

  write(bytes: Buffer): void | Promise<void> {
    if (this.#isClosed) return
    if (this.#unsent.length === 0) {
      const sent = Math.max(this.socket.write(bytes), 0)
      if (sent === bytes.length) return
      this.#unsent.push(bytes.subarray(sent))
    } else this.#unsent.push(bytes)
    this.#whenSent ??= Promise.withResolvers()
    return this.#whenSent.promise
  }

  resumeWrites(): void {
    for (let bytes = this.#unsent[0]; bytes; bytes = this.#unsent[0]) {
      const sent = Math.max(this.socket.write(bytes), 0)
      if (sent < bytes.length) {
        this.#unsent[0] = bytes.subarray(sent)
        return
      }
      this.#unsent.shift()
    }
    this.#resolveWrites()
  }

  #resolveWrites(): void {
    this.#whenSent?.resolve()
    this.#whenSent = null
  }

  handleClose(): void {
    this.#isClosed = true
    this.#unsent.length = 0
    this.#resolveWrites()
    this.#current?.handleClose()
    this.#current = null
  }

  finishExchange(): void {
    if (this.#handshake) {
      this.close()
      return
    }
    this.#current = null
    this.#serveNext()
  }

  close(): void {
    this.#current = null
    this.socket.end()
  }

  reset(): void {
    this.#current = null
    this.socket.terminate()
  }
}

class CurrentExchange implements Exchange {
  isGone = false
  #listeners: (() => void)[] = []
  #wakeUp: (() => void) | null = null

  constructor(
    readonly request: WireRequest,
    private readonly connection: Connection,
  ) {}

  write(bytes: Buffer): void | Promise<void> {
    return this.isGone ? undefined : this.connection.write(bytes)
  }

  onGone(listener: () => void): void {
    if (this.isGone) listener()
    else this.#listeners.push(listener)
  }

  wait(milliseconds: number): void | Promise<void> {
    if (milliseconds <= 0 || this.isGone) return
    return new Promise((resolve) => {
      const wakeUp = () => this.#wakeUp?.()
      const cancel = Number.isFinite(milliseconds) ? this.connection.after(milliseconds, wakeUp) : undefined
      this.#wakeUp = () => {
        cancel?.()
        this.#wakeUp = null
        resolve()
      }
    })
  }

  handleClose(): void {
    this.isGone = true
    this.#wakeUp?.()
    for (const listener of this.#listeners) listener()
    this.#listeners = []
  }

  end(): void {
    if (!this.isGone) this.connection.finishExchange()
  }

  close(): void {
    if (!this.isGone) this.connection.close()
  }

  reset(): void {
    if (!this.isGone) this.connection.reset()
  }
}
