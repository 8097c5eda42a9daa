import { Connection, type Address, type Keeper } from './connection'
import type { Exchange } from './exchange'
import type { Time, Timers } from './time'

/** More are not kept, however many calls there were at once. */
const maxIdle = 1_000
/** How long a connection is kept that was never used. */
const unusedMs = 5_000

interface Idle {
  readonly connection: Connection
  readonly until: number
}

/** The connections to one upstream: idle ones are reused first, the latest one first, so that few are kept. */
export class Origin implements Keeper {
  readonly #idle: Idle[] = []

  constructor(
    private readonly address: Address,
    private readonly connectTimeoutMs: number,
    private readonly time: Time,
  ) {}

  now(): number {
    return this.time.clock.monotonic()
  }

  get timers(): Timers {
    return this.time.timers
  }

  /** Lets an idle connection serve the exchange, or a new one. */
  serve(exchange: Exchange): void {
    const idleConnection = this.#takeIdle()
    if (idleConnection) idleConnection.serve(exchange)
    else void this.#connect(exchange)
  }

  again(exchange: Exchange): void {
    void this.#connect(exchange)
  }

  closeIdle(): void {
    this.closeExpired(Infinity)
  }

  keep(connection: Connection, idleMs: number): void {
    if (idleMs > 0 && this.#idle.length < maxIdle) this.#idle.push({ connection, until: this.now() + idleMs })
    else connection.close()
  }

  /** Closes connections that were idle for too long. */
  closeExpired(now = this.now()): void {
    const left = this.#idle.filter(({ connection, until }) => {
      if (until <= now && !connection.isClosed) connection.close()
      return !connection.isClosed
    })
    this.#idle.splice(0, this.#idle.length, ...left)
  }

  #takeIdle(): Connection | null {
    const now = this.now()
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (idle.connection.isClosed) continue
      if (idle.until > now) return idle.connection
      idle.connection.close()
    }
    return null
  }

  async #connect(exchange: Exchange): Promise<void> {
    try {
      const connection = await Connection.open(this.address, this, this.connectTimeoutMs)
      // The exchange that waited for it may be gone; the next one will need it.
      if (exchange.isOver) this.keep(connection, unusedMs)
      else connection.serve(exchange)
    } catch (error) {
      exchange.fail(error as Error)
    }
  }
}
