import type { Clock } from '../context'
import { createBreaker, type Breaker } from './breaker'
import { createRests, type Rests } from './rests'
import { createRetryBudget, type RetryBudget } from './retry-budget'
import { createSlots, type Slots } from './slots'

/** What this worker has seen of its channels. In memory; the database knows only what was disabled. */
export interface Health {
  /** Whether the breaker lets a call through now. A half-open breaker lets one probe through. */
  isAvailable(channelId: number): boolean
  /** Whether the breaker is not closed, for people to see. Asking changes nothing. */
  isFailing(channelId: number): boolean
  succeeded(channelId: number): void
  failed(channelId: number): void
  /** Bounds how many second attempts the gateway makes, so that an outage is not multiplied. */
  readonly retries: RetryBudget
  /** Which keys are left alone for a time, as their upstreams asked. */
  readonly rests: Rests
  /** Bounds how many calls a channel has at once, where it says so. */
  readonly slots: Slots
}

/** Breakers for all channels this worker has met, and the retry budget they share. */
export function createHealth({ clock }: { clock: Clock }): Health {
  const breakers = new Map<number, Breaker>()
  const breakerOf = (channelId: number): Breaker => {
    const known = breakers.get(channelId)
    if (known) return known
    const breaker = createBreaker(clock)
    breakers.set(channelId, breaker)
    return breaker
  }
  return {
    isAvailable: (channelId) => breakers.get(channelId)?.isAvailable() ?? true,
    isFailing: (channelId) => breakers.get(channelId)?.isOpen() ?? false,
    succeeded: (channelId) => breakerOf(channelId).succeeded(),
    failed: (channelId) => breakerOf(channelId).failed(),
    retries: createRetryBudget(clock),
    rests: createRests(clock),
    slots: createSlots(clock),
  }
}
