import { Redis } from 'ioredis'
import type { Timers } from '../../platform/time/timers'

/** A connection to Redis that knows whether it responds, so that no caller waits for a dead one twice. */
export interface RedisLink {
  readonly client: Redis
  /** Resolves with what Redis returns; while it is unavailable, at once with the alternative. */
  orElse<Result>(ask: () => Promise<Result>, other: () => Promise<Result>): Promise<Result>
  readonly isAway: boolean
  close(): void
}

export interface RedisLinkOptions {
  readonly timers: Timers
  /** Called once per outage. */
  readonly onAway: (error: unknown) => void
  readonly onBack: () => void
}

/** A caller waits no longer than this. */
const responseTimeoutMs = 250
const probeMs = 500
/** After this many unanswered probes in a row the connection itself is dead. */
const deadAfterProbes = 6

export function openRedisLink(url: string, { timers, onAway, onBack }: RedisLinkOptions): RedisLink {
  // Not yet connected is not an outage: no report before the connection fails.
  let state: 'connecting' | 'up' | 'away' = 'connecting'
  let unanswered = 0
  let isClosed = false
  const client = new Redis(url, {
    connectTimeout: 1000,
    // The first probe tells whether Redis serves.
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(attempt * 200, 2000),
  })

  function markAway(error: unknown) {
    if (isClosed || state === 'away') return
    state = 'away'
    onAway(error)
  }

  function markUp() {
    unanswered = 0
    if (state === 'up') return
    if (state === 'away') onBack()
    state = 'up'
  }

  /** @throws Error when no response comes in time. */
  async function inTime<Result>(asking: Promise<Result>): Promise<Result> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const cancel = timers.after(responseTimeoutMs, () => reject(new Error('No response came in time')))
    try {
      return await Promise.race([asking, late])
    } finally {
      cancel()
    }
  }

  async function probe() {
    try {
      await inTime(client.ping())
      markUp()
    } catch {
      unanswered += 1
      if (unanswered % deadAfterProbes === 0) client.disconnect(true)
    }
  }

  client.on('error', markAway)
  client.on('close', () => markAway(new Error('The connection was closed')))
  client.on('ready', () => void probe())
  const endProbes = timers.every(probeMs, () => {
    if (state === 'away' && client.status === 'ready') void probe()
  })

  return {
    client,
    get isAway() {
      return state === 'away'
    },
    async orElse(command, other) {
      if (state !== 'up') return other()
      try {
        return await inTime(command())
      } catch (error) {
        markAway(error)
        return other()
      }
    },
    close() {
      isClosed = true
      endProbes()
      client.disconnect()
    },
  }
}
