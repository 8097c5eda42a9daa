import { RateLimiterRedis } from 'rate-limiter-flexible'

import { toLimitResult, keyOf, type Limit, type LimitResult, type Limiter } from './limiter'
import { RedisLink, type RedisLinkOptions } from '../../platform/net/redis-link'

interface RedisLimiterOptions extends RedisLinkOptions {
  /** Counts while Redis is unavailable. */
  readonly meanwhile: Limiter
}

/** Counts for all nodes that use this Redis. */
export function redisLimiter(url: string, { meanwhile, ...events }: RedisLimiterOptions): Limiter {
  const link = RedisLink.open(url, events)
  const shared = inRedis(link.client)
  return {
    consume: (key, limit) =>
      link.orElse(
        () => shared.consume(key, limit),
        () => meanwhile.consume(key, limit),
      ),
    peek: (key, limit) =>
      link.orElse(
        () => shared.peek(key, limit),
        () => meanwhile.peek(key, limit),
      ),
    restore: (key, limit) =>
      link.orElse(
        () => shared.restore(key, limit),
        () => meanwhile.restore(key, limit),
      ),
    inMemory: null,
    get isAlone() {
      return link.isAway
    },
    close: async () => link.close(),
  }
}

/** Redis counts the seconds of a window in 31 bits. */
const maxSeconds = 2_147_483
const unlimited = Number.MAX_SAFE_INTEGER

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
    async consume(key: string, { points, durationSeconds }: Limit): Promise<LimitResult> {
      const customDuration = Math.min(durationSeconds, maxSeconds)
      const counted = await counter.penalty(keyOf(key, customDuration), 1, { customDuration })
      return toLimitResult(points - counted.consumedPoints, counted.msBeforeNext)
    },
    async restore(key: string, { durationSeconds }: Limit): Promise<void> {
      const known = keyOf(key, Math.min(durationSeconds, maxSeconds))
      // Undoing an event of a window that is over would start a new one below zero.
      if ((await counter.get(known)) !== null) await counter.reward(known, 1)
    },
    async peek(key: string, { points, durationSeconds }: Limit): Promise<LimitResult> {
      const counted = await counter.get(keyOf(key, Math.min(durationSeconds, maxSeconds)))
      return toLimitResult(points - (counted?.consumedPoints ?? 0) - 1, counted?.msBeforeNext ?? durationSeconds * 1000)
    },
  }
}
