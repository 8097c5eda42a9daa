import { connect, createServer, type Server, type Socket } from 'node:net'

/** Stands between the gateway and a server, and can be shut as networks fail. Begins open. */
export interface TcpGate extends AsyncDisposable {
  readonly port: number
  /** New connections pass, and what was held back flows again. */
  open(): Promise<void>
  /** Every connection is reset, and new ones are refused. */
  refuse(): Promise<void>
  /** Nothing passes and nobody is told: connections stay, new ones are accepted and hear nothing. */
  hang(): void
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
  /** Bytes that wait, in the order of their arrival. */
  readonly held: (() => void)[]
  isForgotten: boolean
}

class Gate implements TcpGate {
  port = 0
  #listener: Server | null = null
  #isHanging = false
  readonly #pairs = new Set<Pair>()

  constructor(private readonly target: number) {}

  async listen(port: number): Promise<void> {
    const listener = createServer({ noDelay: true }, (client) => this.#join(client))
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    listener.once('error', reject)
    listener.listen(port, '127.0.0.1', resolve)
    await promise
    const address = listener.address()
    if (typeof address === 'object' && address) this.port = address.port
    this.#listener = listener
  }

  async open(): Promise<void> {
    this.#isHanging = false
    for (const pair of this.#pairs) for (const pass of pair.held.splice(0)) if (!pair.isForgotten) pass()
    if (!this.#listener) await this.listen(this.port)
  }

  async refuse(): Promise<void> {
    this.#listener?.close()
    this.#listener = null
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy()
      server.destroy()
    }
    this.#pairs.clear()
  }

  hang(): void {
    this.#isHanging = true
  }

  forget(): void {
    for (const pair of this.#pairs) {
      pair.isForgotten = true
      pair.server.destroy()
    }
  }

  #join(client: Socket): void {
    const server = connect({ port: this.target, host: '127.0.0.1', noDelay: true })
    const pair: Pair = { client, server, held: [], isForgotten: false }
    this.#pairs.add(pair)
    const pass = (act: () => void) => {
      if (pair.isForgotten) return
      if (this.#isHanging) pair.held.push(act)
      else act()
    }
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('data', (bytes) => pass(() => to.write(bytes)))
      from.on('error', () => {})
      from.on('close', () => pass(() => to.destroy()))
    }
    server.on('close', () => this.#pairs.delete(pair))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.refuse()
  }
}
