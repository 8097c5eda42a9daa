import { connect, createServer, type Server, type Socket } from 'node:net'

/** Stands between the gateway and a server, and does to connections what networks and crowded servers do. Begins open. */
export interface TcpGate extends AsyncDisposable {
  readonly port: number
  /** New connections pass without delay, and what was held back flows again. */
  open(): Promise<void>
  /** Every connection is reset, and new ones are refused: the server is gone. */
  refuse(): Promise<void>
  /** New connections are closed at once, those of now stay: the server has too many. */
  turnAway(): void
  /** Drops all traffic silently: connections stay open, new ones are accepted and receive nothing. */
  hang(): void
  /** Everything passes late by this, both ways. */
  slow(delayMs: number): void
  /** The connections of now are reset; new ones pass. */
  cut(): void
  /** The connections of now are dead without a word, as after a failover; new ones pass. */
  forget(): void
}

/** A gate before a server of this machine. */
export async function openGate(port: number): Promise<TcpGate> {
  const gate = new Gate(port)
  await gate.listen(0)
  return gate
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
  /** What waits to happen, in order. */
  readonly held: (() => void)[]
  isForgotten: boolean
}

class Gate implements TcpGate {
  port = 0
  #listener: Server | null = null
  #mode: 'pass' | 'hang' | 'turn-away' = 'pass'
  #delayMs = 0
  readonly #pairs = new Set<Pair>()

  constructor(private readonly target: number) {}

  async listen(port: number): Promise<void> {
    const listener = createServer({ noDelay: true }, (client) => this.#meet(client))
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    listener.once('error', reject)
    listener.listen(port, '127.0.0.1', resolve)
    await promise
    const address = listener.address()
    if (typeof address === 'object' && address) this.port = address.port
    this.#listener = listener
  }

  async open(): Promise<void> {
    this.#mode = 'pass'
    this.#delayMs = 0
    for (const pair of this.#pairs) for (const act of pair.held.splice(0)) if (!pair.isForgotten) act()
    if (!this.#listener) await this.listen(this.port)
  }

  async refuse(): Promise<void> {
    this.#listener?.close()
    this.#listener = null
    this.cut()
  }

  turnAway(): void {
    this.#mode = 'turn-away'
  }

  hang(): void {
    this.#mode = 'hang'
  }

  slow(delayMs: number): void {
    this.#delayMs = delayMs
  }

  cut(): void {
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy()
      server.destroy()
    }
    this.#pairs.clear()
  }

  forget(): void {
    for (const pair of this.#pairs) {
      pair.isForgotten = true
      pair.server.destroy()
    }
  }

  #meet(client: Socket): void {
    if (this.#mode === 'turn-away') {
      client.on('error', () => {})
      client.destroy()
      return
    }
    const server = connect({ port: this.target, host: '127.0.0.1', noDelay: true })
    const pair: Pair = { client, server, held: [], isForgotten: false }
    this.#pairs.add(pair)
    this.#forward(pair, client, server)
    this.#forward(pair, server, client)
  }

  /** One direction, in order: nothing is read while something waits to be written. */
  #forward(pair: Pair, from: Socket, to: Socket): void {
    const pass = (act: () => void) => {
      if (pair.isForgotten) return
      if (this.#mode === 'hang') pair.held.push(act)
      else act()
    }
    const write = (bytes: Buffer) => {
      if (!to.destroyed) to.write(bytes, () => from.resume())
    }
    from.on('data', (bytes: Buffer) => {
      from.pause()
      if (this.#delayMs === 0) pass(() => write(bytes))
      else setTimeout(() => pass(() => write(bytes)), this.#delayMs)
    })
    from.on('error', () => {})
    from.on('end', () => pass(() => to.end()))
    from.on('close', () => {
      pass(() => to.destroy())
      if (to.destroyed) this.#pairs.delete(pair)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.refuse()
  }
}
