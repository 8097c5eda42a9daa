import { RateLimiterRedis } from 'rate-limiter-flexible'

import type { Context } from '../context'
import { openRedisLink, type RedisLink } from './redis-link'
import { Windows } from './windows'

export interface Limit {
  readonly points: number
  readonly durationSeconds: number
}

interface LimitAnswer {
  readonly allowed: boolean
  /** Whole seconds until the window ends, at least 1. */
  readonly retryAfterSeconds: number
}

/** Counts events in fixed windows that begin with a key's first event. What is counted in memory is answered at once. */
export interface Limiter {
  /** Count one event; refused when it is beyond the limit. */
  consume(key: string, limit: Limit): LimitAnswer | Promise<LimitAnswer>
  /** Whether another event would be allowed. Counts nothing. */
  peek(key: string, limit: Limit): LimitAnswer | Promise<LimitAnswer>
  close(): Promise<void>
}

export interface LimiterOptions {
  /** Empty: counted in this process alone. */
  readonly redisUrl: string
  /** Redis does not answer: told once, until it does again. */
  readonly onAway?: (error: unknown) => void
  readonly onBack?: () => void
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number
}

/** Redis counts the seconds of a window in 31 bits. */
const longestSeconds = 2_147_483
const unlimited = Number.MAX_SAFE_INTEGER

/** A limiter shared through Redis, or counted in this process's memory: without Redis, and while it does not answer. */
export function createLimiter(options: LimiterOptions): Limiter {
  const { redisUrl, onAway = () => {}, onBack = () => {}, now = () => performance.now() } = options
  const memory = inMemory(new Windows(now))
  if (!redisUrl) return memory
  const link = openRedisLink(redisUrl, { onAway, onBack })
  const shared = inRedis(link.client)
  return {
    consume: (key, limit) =>
      link.orElse(
        () => shared.consume(key, limit),
        () => memory.consume(key, limit),
      ),
    peek: (key, limit) =>
      link.orElse(
        () => shared.peek(key, limit),
        () => memory.peek(key, limit),
      ),
    close: async () => link.close(),
  }
}

/** The limiter a worker counts all its limits with. */
export const limiterOf = ({ config, log, clock }: Pick<Context, 'config' | 'log' | 'clock'>): Limiter =>
  createLimiter({
    redisUrl: config.redisUrl,
    now: () => clock.monotonic(),
    onAway: (error) => log.warn({ error }, 'limits are counted in memory: Redis does not answer'),
    onBack: () => log.info('limits are counted in Redis again'),
  })

function inMemory(windows: Windows): Limiter {
  return {
    consume(key, { points, durationSeconds }) {
      const { count, endsInMs } = windows.add(keyOf(key, durationSeconds), durationSeconds * 1000)
      return answer(count <= points, endsInMs)
    },
    peek(key, { points, durationSeconds }) {
      const { count, endsInMs } = windows.peek(keyOf(key, durationSeconds))
      return answer(count < points, endsInMs)
    },
    close: async () => {},
  }
}

/** One counter serves every limit: the window is given with each event and the points are compared here. */
function inRedis(storeClient: RedisLink['client']) {
  const counter = new RateLimiterRedis({
    keyPrefix: 'tollgate',
    points: unlimited,
    duration: 1,
    storeClient,
    rejectIfRedisNotReady: true,
  })
  return {
    async consume(key: string, { points, durationSeconds }: Limit): Promise<LimitAnswer> {
      const customDuration = Math.min(durationSeconds, longestSeconds)
      const counted = await counter.penalty(keyOf(key, customDuration), 1, { customDuration })
      return answer(counted.consumedPoints <= points, counted.msBeforeNext)
    },
    async peek(key: string, { points, durationSeconds }: Limit): Promise<LimitAnswer> {
      const counted = await counter.get(keyOf(key, Math.min(durationSeconds, longestSeconds)))
      return answer(!counted || counted.consumedPoints < points, counted?.msBeforeNext ?? 0)
    },
  }
}

/** A changed window starts anew. */
const keyOf = (key: string, durationSeconds: number) => `${durationSeconds}:${key}`

const answer = (allowed: boolean, remainingMs: number): LimitAnswer => ({
  allowed,
  retryAfterSeconds: Math.max(1, Math.ceil(remainingMs / 1000)),
})
