import type { Logger } from 'pino'

import type { Seal } from '../store/seal'
import type { Clock } from '../time/clock'
import type { Timers } from '../time/timers'
import type { ResponseStore, HeldResponses, KeepTerms, StoredResponse } from './response-store'
import { MemoryResponses } from './memory-responses'
import type { RedisResponses } from './redis-responses'

interface ResponseStoreOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'now'>
  readonly timers: Timers
  /** Empty: each worker keeps its own in memory. */
  readonly redisUrl: string
  readonly seal: Pick<Seal, 'seal' | 'open'>
  readonly log: Pick<Logger, 'warn' | 'info'>
}

/** Creates the store of responses of a worker: in memory, or in Redis where it is configured. */
export const createResponseStore = (options: ResponseStoreOptions): ResponseStore =>
  options.redisUrl === '' ? new MemoryResponses(options.clock) : new SharedResponses(options)

/** Keeps responses in Redis, in memory while that is away. Connects with the first call that uses it. */
class SharedResponses implements ResponseStore {
  readonly #options: ResponseStoreOptions
  readonly #memory: MemoryResponses
  #redis: RedisResponses | null = null
  #opening: Promise<RedisResponses> | null = null
  #isClosed = false

  constructor(options: ResponseStoreOptions) {
    this.#options = options
    this.#memory = new MemoryResponses(options.clock)
  }

  find(key: string): Promise<StoredResponse | null> {
    const inMemory = () => this.#memory.find(key)
    return this.#connection()?.find(key, inMemory) ?? inMemory()
  }

  keep(key: string, response: StoredResponse, terms: KeepTerms): Promise<void> {
    const inMemory = () => this.#memory.keep(key, response, terms)
    return this.#connection()?.keep(key, response, terms, inMemory) ?? inMemory()
  }

  forget(): void {
    this.#memory.forget()
  }

  async clearShared(): Promise<boolean> {
    return (await this.#open()).clear()
  }

  get held(): HeldResponses {
    return this.#memory.held
  }

  async sharedHeld(): Promise<HeldResponses | null> {
    return (await this.#open()).countHeld()
  }

  get isAlone(): boolean {
    return this.#redis?.isAway === true
  }

  close(): void {
    this.#isClosed = true
    this.#redis?.close()
    this.#memory.close()
  }

  /** Returns the connection; null until there is one, for which no call waits. */
  #connection(): RedisResponses | null {
    if (this.#redis === null) void this.#open()
    return this.#redis
  }

  /** The Redis client is loaded only where it is used. */
  #open(): Promise<RedisResponses> {
    return (this.#opening ??= import('./redis-responses').then(({ RedisResponses: Responses }) => {
      const { redisUrl, log } = this.#options
      const opened = new Responses(redisUrl, {
        ...this.#options,
        onAway: (error) => log.warn({ error }, 'responses are kept in memory: Redis does not respond'),
        onBack: () => log.info('responses are kept in Redis again'),
      })
      if (this.#isClosed) opened.close()
      return (this.#redis = opened)
    }))
  }
}
