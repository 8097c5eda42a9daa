import { Redis } from 'ioredis'
import { within, type Timers } from '../time/timers'

export interface RedisLinkOptions {
  readonly timers: Timers
  /** Called once per outage. */
  readonly onAway: (error: unknown) => void
  readonly onBack: () => void
}

/** A caller waits no longer than this. */
const responseTimeoutMs = 250
const connectTimeoutMs = 1000
const probeMs = 500
/** After this many unanswered probes in a row the connection itself is dead. */
const deadAfterProbes = 6

/** A connection to Redis that knows whether it responds, so that no caller waits for a dead one twice. */
export class RedisLink {
  readonly client: Redis
  readonly #options: RedisLinkOptions
  readonly #endProbes: () => void
  // Not yet connected is not an outage: no report before the connection fails.
  #state: 'connecting' | 'up' | 'away' = 'connecting'
  #unanswered = 0
  #isClosed = false
  readonly #known = Promise.withResolvers<void>()

  static open(url: string, options: RedisLinkOptions): RedisLink {
    return new RedisLink(url, options)
  }

  private constructor(url: string, options: RedisLinkOptions) {
    this.#options = options
    this.client = new Redis(url, {
      connectTimeout: connectTimeoutMs,
      // The first probe tells whether Redis serves.
      enableReadyCheck: false,
      maxRetriesPerRequest: 0,
      enableOfflineQueue: false,
      retryStrategy: (attempt) => Math.min(attempt * 200, 2000),
    })
    this.client.on('error', (error) => this.#markAway(error))
    this.client.on('close', () => this.#markAway(new Error('The connection was closed')))
    this.client.on('ready', () => void this.#probe())
    this.#endProbes = options.timers.every(probeMs, () => {
      if (this.isAway && this.client.status === 'ready') void this.#probe()
    })
  }

  get isAway(): boolean {
    return this.#state === 'away'
  }

  /** Resolves when Redis has responded, or has not in the time for it. */
  async whenKnown(): Promise<void> {
    await within(this.#options.timers, connectTimeoutMs + responseTimeoutMs, this.#known.promise, undefined)
  }

  /** Resolves with what Redis returns; while it is unavailable, at once with the alternative. */
  async orElse<Result>(command: () => Promise<Result>, other: () => Promise<Result>): Promise<Result> {
    if (this.#state !== 'up') return other()
    try {
      return await this.#inTime(command())
    } catch (error) {
      this.#markAway(error)
      return other()
    }
  }

  close(): void {
    this.#isClosed = true
    this.#known.resolve()
    this.#endProbes()
    this.client.disconnect()
  }

  #markAway(error: unknown): void {
    if (this.#isClosed || this.#state === 'away') return
    this.#state = 'away'
    this.#known.resolve()
    this.#options.onAway(error)
  }

  #markUp(): void {
    this.#unanswered = 0
    if (this.#state === 'up') return
    if (this.#state === 'away') this.#options.onBack()
    this.#state = 'up'
    this.#known.resolve()
  }

  async #probe(): Promise<void> {
    try {
      await this.#inTime(this.client.ping())
      this.#markUp()
    } catch (error) {
      this.#markAway(error)
      this.#unanswered += 1
      if (this.#unanswered % deadAfterProbes === 0) this.client.disconnect(true)
    }
  }

  /** @throws Error when no response comes in time. */
  async #inTime<Result>(asking: Promise<Result>): Promise<Result> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const onLate = () => reject(new Error('No response came in time'))
    const cancel = this.#options.timers.after(responseTimeoutMs, onLate)
    try {
      return await Promise.race([asking, late])
    } finally {
      cancel()
    }
  }
}
