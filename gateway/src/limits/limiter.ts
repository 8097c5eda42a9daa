import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract } from 'rate-limiter-flexible'

import type { Context } from '../context'

export interface Limit {
  readonly points: number
  readonly durationSeconds: number
}

interface LimitAnswer {
  readonly allowed: boolean
  /** Whole seconds until the window ends, at least 1. */
  readonly retryAfterSeconds: number
}

/** Counts events in fixed windows that begin with a key's first event. */
export interface Limiter {
  /** Count one event; refused when it is beyond the limit. */
  consume(key: string, limit: Limit): Promise<LimitAnswer>
  /** Whether another event would be allowed. Counts nothing. */
  peek(key: string, limit: Limit): Promise<LimitAnswer>
  close(): Promise<void>
}

export interface LimiterOptions {
  /** Empty: counted in this process alone. */
  readonly redisUrl: string
  readonly onError?: (error: unknown) => void
}

/** A timer cannot run longer; longer windows end here. */
const longestSeconds = 2_147_483
const unlimited = Number.MAX_SAFE_INTEGER
const redisTimeoutMs = 250

/** A limiter shared through Redis, with this process's memory as insurance; without Redis in memory alone. */
export function createLimiter({ redisUrl, onError = () => {} }: LimiterOptions): Limiter {
  const memory = new RateLimiterMemory({ keyPrefix: 'tollgate', points: unlimited, duration: 1 })
  if (!redisUrl) return limiterOver(memory)
  const client = connect(redisUrl, onError)
  const shared = new RateLimiterRedis({
    storeClient: client,
    keyPrefix: 'tollgate',
    points: unlimited,
    duration: 1,
    insuranceLimiter: memory,
    rejectIfRedisNotReady: true,
  })
  return limiterOver(shared, async () => client.disconnect())
}

function connect(url: string, onError: (error: unknown) => void): Redis {
  const client = new Redis(url, {
    connectTimeout: 1000,
    commandTimeout: redisTimeoutMs,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
  })
  client.on('error', onError)
  return client
}

/** The limiter a worker counts all its limits with. */
export const limiterOf = ({ config, log }: Pick<Context, 'config' | 'log'>): Limiter =>
  createLimiter({
    redisUrl: config.redisUrl,
    onError: (error) => log.warn({ err: error }, 'limits are counted in memory: Redis does not answer'),
  })

/** One counter serves every limit: the window is given with each event and the points are compared here. */
function limiterOver(counter: RateLimiterAbstract, close: () => Promise<void> = async () => {}): Limiter {
  return {
    async consume(key, { points, durationSeconds }) {
      const customDuration = Math.min(durationSeconds, longestSeconds)
      const counted = await counter.penalty(keyOf(key, customDuration), 1, { customDuration })
      return answer(counted.consumedPoints <= points, counted.msBeforeNext)
    },
    async peek(key, { points, durationSeconds }) {
      const counted = await counter.get(keyOf(key, Math.min(durationSeconds, longestSeconds)))
      return answer(!counted || counted.consumedPoints < points, counted?.msBeforeNext ?? 0)
    },
    close,
  }
}

/** A changed window starts anew. */
const keyOf = (key: string, durationSeconds: number) => `${durationSeconds}:${key}`

const answer = (allowed: boolean, remainingMs: number): LimitAnswer => ({
  allowed,
  retryAfterSeconds: Math.max(1, Math.ceil(remainingMs / 1000)),
})
