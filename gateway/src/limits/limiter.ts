import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract } from 'rate-limiter-flexible'

import type { Context } from '../context'
import { openRedisLink } from './redis-link'

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
  /** Redis does not answer: told once, until it does again. */
  readonly onAway?: (error: unknown) => void
  readonly onBack?: () => void
}

/** A timer cannot run longer; longer windows end here. */
const longestSeconds = 2_147_483
const unlimited = Number.MAX_SAFE_INTEGER
const counting = { keyPrefix: 'tollgate', points: unlimited, duration: 1 }

/** A limiter shared through Redis, or counted in this process's memory: without Redis, and while it does not answer. */
export function createLimiter({ redisUrl, onAway = () => {}, onBack = () => {} }: LimiterOptions): Limiter {
  const memory = new RateLimiterMemory(counting)
  if (!redisUrl) return limiterOver((count) => count(memory))
  const link = openRedisLink(redisUrl, { onAway, onBack })
  const shared = new RateLimiterRedis({ ...counting, storeClient: link.client, rejectIfRedisNotReady: true })
  return limiterOver(
    (count) =>
      link.orElse(
        () => count(shared),
        () => count(memory),
      ),
    () => link.close(),
  )
}

/** The limiter a worker counts all its limits with. */
export const limiterOf = ({ config, log }: Pick<Context, 'config' | 'log'>): Limiter =>
  createLimiter({
    redisUrl: config.redisUrl,
    onAway: (error) => log.warn({ error }, 'limits are counted in memory: Redis does not answer'),
    onBack: () => log.info('limits are counted in Redis again'),
  })

type Count = <Result>(count: (counter: RateLimiterAbstract) => Promise<Result>) => Promise<Result>

/** One counter serves every limit: the window is given with each event and the points are compared here. */
function limiterOver(count: Count, close: () => void = () => {}): Limiter {
  return {
    async consume(key, { points, durationSeconds }) {
      const customDuration = Math.min(durationSeconds, longestSeconds)
      const counted = await count((counter) => counter.penalty(keyOf(key, customDuration), 1, { customDuration }))
      return answer(counted.consumedPoints <= points, counted.msBeforeNext)
    },
    async peek(key, { points, durationSeconds }) {
      const counted = await count((counter) => counter.get(keyOf(key, Math.min(durationSeconds, longestSeconds))))
      return answer(!counted || counted.consumedPoints < points, counted?.msBeforeNext ?? 0)
    },
    close: async () => close(),
  }
}

/** A changed window starts anew. */
const keyOf = (key: string, durationSeconds: number) => `${durationSeconds}:${key}`

const answer = (allowed: boolean, remainingMs: number): LimitAnswer => ({
  allowed,
  retryAfterSeconds: Math.max(1, Math.ceil(remainingMs / 1000)),
})
