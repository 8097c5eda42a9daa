import type { Context } from '../../context'
import { MemoryLimiter, type Limiter } from './limiter'
import type { Timers } from '../../platform/time/timers'

export interface LimiterOptions {
  /** Empty: counted in this process only. */
  readonly redisUrl: string
  /** Called once when Redis becomes unavailable, until it is back. */
  readonly onAway?: (error: unknown) => void
  readonly onBack?: () => void
  /** Returns monotonic milliseconds. */
  readonly now?: () => number
  readonly timers: Timers
}

/**
 * Creates a limiter shared through Redis, or one in this process's memory: without Redis, and while it is unavailable. The Redis client is
 * loaded only where it is used.
 */
export async function createLimiter(options: LimiterOptions): Promise<Limiter> {
  const { redisUrl, onAway = () => {}, onBack = () => {}, now, timers } = options
  const memory = new MemoryLimiter(now)
  if (!redisUrl) return memory
  const { redisLimiter } = await import('./redis-limiter')
  return redisLimiter(redisUrl, { timers, onAway, onBack, meanwhile: memory })
}

/** Creates the limiter with which a worker counts all its limits. */
export const limiterOf = ({
  config,
  log,
  clock,
  timers,
}: Pick<Context, 'config' | 'log' | 'clock' | 'timers'>): Promise<Limiter> =>
  createLimiter({
    redisUrl: config.redisUrl,
    now: () => clock.monotonic(),
    timers,
    onAway: (error) => log.warn({ error }, 'limits are counted in memory: Redis does not respond'),
    onBack: () => log.info('limits are counted in Redis again'),
  })
