import type { UpstreamError } from '../../channels/calls/upstream-error'
import type { Choice } from '../../channels/catalog/catalog'
import type { OutcomeReporter } from '../../channels/health/health'
import type { LimitWindow } from '../../billing/ledger/window/limit-window'
import { keyName } from '../../channels/catalog/channel-keys'
import type { Context } from '../../context'
import type { Excluded } from '../../channels/routing/keys'
import { isRetryable, type FailureClass } from '../../channels/calls/classify-failure'
import type { RouteRequest } from '../stages/route'

/** A failed attempt and what failed in it. */
export interface ClassifiedFailure {
  readonly choice: Choice
  readonly error: UpstreamError
  readonly failureClass: FailureClass
  /** A breaker let the attempt through to find out whether the channel works again. */
  readonly isProbe: boolean
}

/** An attempt with less time left would blame a channel for the time that others took. */
export const minAttemptMs = 1_000

const noExclusions: Excluded = { keys: new Set(), channels: new Set() }

/** Which further attempts a call may make. */
export class Retries {
  #failed: Excluded
  #last: UpstreamError | undefined
  /** Attempts that count towards the operator's limit. */
  #retriesCounted = 0
  /** The gateway used the call as a probe, and its caller must not pay for that with a failure. */
  #hasFreeRetry = false
  /** What had failed before a kept connection turned out to be stale. Once a call. */
  #beforeStale: Excluded | null = null
  #wasStale = false
  /** Only those that should serve the call are tried so far. */
  #isPreferredOnly: boolean
  #failureClass: FailureClass = 'none'

  constructor(
    private readonly request: RouteRequest,
    private readonly deps: Pick<Context, 'clock' | 'health' | 'metrics'>,
  ) {
    this.#isPreferredOnly = Boolean(request.nonPreferred)
    this.#failed = this.#exclusionsAtFirst()
    deps.health.retries.recordCall()
  }

  #exclusionsAtFirst(): Excluded {
    return initiallyExcluded(this.request, this.request.nonPreferred ?? this.request.excluded)
  }

  /** Tries all that were full once more. Called when nothing has failed. */
  startOver(): void {
    this.#isPreferredOnly = Boolean(this.request.nonPreferred)
    this.#failed = this.#exclusionsAtFirst()
  }

  /** What failed in this call and is not tried again. */
  get failed(): Excluded {
    return this.#failed
  }

  /** Whether an attempt has failed already. */
  get isRetry(): boolean {
    return this.#last !== undefined
  }

  /** Records a failure. Returns whether another attempt may be made, if a channel is left. */
  recordFailure({ choice, error, failureClass, isProbe }: ClassifiedFailure): boolean {
    const { caller, catalog, departure } = this.request
    const isFirstStale = error.fault === 'stale' && !this.#wasStale
    this.#wasStale ||= isFirstStale
    this.#hasFreeRetry = isProbe || isFirstStale
    this.#last = error
    this.#failureClass = failureClass
    // An attempt at a draining channel goes on after its client left.
    if (caller.pinnedChannelId !== null || departure.isGone) return false
    if (this.request.deadline - this.deps.clock.monotonic() < minAttemptMs) return false
    if (!isRetryable(error, failureClass, catalog.options)) return false
    if (!this.#hasFreeRetry && this.#retriesCounted >= catalog.options.RetryTimes) return false
    if (!this.#hasFreeRetry) this.#retriesCounted += 1
    if (isFirstStale) this.#beforeStale = this.#failed
    this.#failed = withFailed(choice, failureClass, this.#failed)
    return true
  }

  /** Excludes what has no room in its windows: the key where only that is full, otherwise the whole channel. */
  recordFull(choice: Choice, { owner }: Pick<LimitWindow, 'owner'>): void {
    this.#failed = withFailed(choice, owner === 'channel_key' ? 'key' : 'channel', this.#failed)
  }

  /**
   * Called when no channel is left. Returns whether to start over: a channel that was called over a stale connection may be tried again.
   */
  widenChoice(): boolean {
    if (this.#isPreferredOnly) return this.#leavePreferred()
    if (this.#beforeStale === null) return false
    this.#failed = this.#beforeStale
    this.#beforeStale = null
    return true
  }

  /** What failed there is not tried again; another key of its channel is, where the key was to blame. */
  #leavePreferred(): true {
    const { nonPreferred, excluded } = this.request
    const { channels, keys } = this.#failed
    const others = initiallyExcluded(this.request, excluded)
    const failed =
      this.#failureClass === 'key'
        ? noExclusions.channels
        : channels.difference(nonPreferred?.channels ?? noExclusions.channels)
    this.#failed = {
      channels: others.channels.union(failed),
      keys: others.keys.union(keys.difference(nonPreferred?.keys ?? noExclusions.keys)),
    }
    this.#isPreferredOnly = false
    return true
  }

  /** Returns whether the attempt may be made: a retry at a failing channel needs budget. */
  allows(reporter: OutcomeReporter): boolean {
    if (!this.#last) return true
    const { health, metrics } = this.deps
    const isAllowed = this.#hasFreeRetry || reporter.isSteady || health.retries.take()
    metrics.countRetry(isAllowed ? 'made' : 'refused')
    return isAllowed
  }
}

function initiallyExcluded(
  { unpriced = noExclusions.channels }: Pick<RouteRequest, 'unpriced'>,
  excluded: Excluded | undefined,
): Excluded {
  if (!excluded) return { keys: noExclusions.keys, channels: unpriced }
  return { keys: excluded.keys, channels: new Set([...unpriced, ...excluded.channels]) }
}

/** Excludes what failed for the rest of the call: the key when it is to blame, otherwise the whole channel. */
function withFailed({ channel, key }: Choice, failureClass: FailureClass, failed: Excluded): Excluded {
  const keys = new Set(failed.keys).add(keyName(channel, key))
  const hasOtherKey = channel.keys.some((other) => other.isEnabled && !keys.has(keyName(channel, other)))
  const isLeft = failureClass === 'key' && hasOtherKey
  return { keys, channels: isLeft ? failed.channels : new Set(failed.channels).add(channel.id) }
}
