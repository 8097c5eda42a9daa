import type { Clock } from '../context'
import type { StopUpstream } from './in-flight'

type StopReason = 'first-byte' | 'idle' | 'total' | 'client' | 'shutdown'

export interface ClockLimits {
  /** Milliseconds until the answer must begin. Null: only the whole limits it. */
  readonly firstByteMs: number | null
  /** Milliseconds between two reads. */
  readonly idleMs: number
  /** Milliseconds left for the whole call. */
  readonly totalMs: number
}

/** The time limits of one attempt: they stop the upstream call and remember why. */
export interface AttemptClocks {
  readonly signal: AbortSignal
  /** Why it was stopped, or null. */
  readonly reason: StopReason | null
  /** The answer began: from now on the gaps between reads count. */
  began(): void
  /** Something was read. Cheap enough for each read. */
  touched(): void
  /** While the client does not take what it was given, the upstream is not to blame for silence. */
  paused(): void
  /** The client wants more; the silence before its pause still counts. */
  resumed(): void
  stop(reason: StopReason): void
  /** The attempt is over; no limit applies any more. */
  finish(): void
}

/** A timer that is so late tells that this process stood still: what came meanwhile is not read yet. */
const stallMs = 200

/**
 * Start the limits of one attempt. One timer at a time: it looks how long ago the last read was and sleeps again.
 * What stops it from outside is in `running` until it is over.
 */
export function startClocks(clock: Clock, limits: ClockLimits, running: Set<StopUpstream> = new Set()): AttemptClocks {
  const controller = new AbortController()
  const startedAt = clock.monotonic()
  let touchedAt = startedAt
  let hasBegun = false
  let isPaused = false
  let reason: StopReason | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = Infinity

  function stop(why: StopReason) {
    if (reason) return
    reason = why
    clearTimeout(timer)
    running.delete(stop)
    controller.abort()
  }

  const gapMs = (): number => (hasBegun ? (isPaused ? Infinity : limits.idleMs) : (limits.firstByteMs ?? Infinity))

  function check() {
    const now = clock.monotonic()
    if (now - startedAt >= limits.totalMs) return stop('total')
    if (now - dueAt > stallMs) touchedAt = now
    if (now - touchedAt >= gapMs()) return stop(hasBegun ? 'idle' : 'first-byte')
    schedule(now)
  }

  function schedule(now: number) {
    const wait = Math.min(startedAt + limits.totalMs, touchedAt + gapMs(), now + limits.idleMs) - now
    dueAt = now + wait
    timer = setTimeout(check, Math.max(1, Math.ceil(wait)))
  }

  schedule(startedAt)
  running.add(stop)
  return {
    signal: controller.signal,
    get reason() {
      return reason
    },
    began() {
      hasBegun = true
      touchedAt = clock.monotonic()
    },
    touched() {
      isPaused = false
      touchedAt = clock.monotonic()
    },
    paused() {
      isPaused = true
    },
    resumed() {
      isPaused = false
    },
    stop,
    finish() {
      clearTimeout(timer)
      running.delete(stop)
    },
  }
}
