import type { Clock } from '../context'
import type { StopUpstream } from './in-flight'

type StopReason = 'connect' | 'first-byte' | 'idle' | 'total' | 'client' | 'shutdown'

export interface ClockLimits {
  /** Left out: only the others limit it. */
  readonly connect?: ConnectLimit
  /** Milliseconds until the answer must begin. Null: only the whole limits it. */
  readonly firstByteMs: number | null
  /** Milliseconds between two reads. */
  readonly idleMs: number
  /** Milliseconds left for the whole call. */
  readonly totalMs: number
}

/** The runtime does not tell when a connection stands, so an answer that is late is looked into. */
interface ConnectLimit {
  /** Milliseconds until a connection must stand; after half of them the host is tried. */
  readonly milliseconds: number
  /** Whether the upstream's host takes connections, learned within so many milliseconds. */
  canConnect(withinMs: number): Promise<boolean>
}

/** The time limits of one attempt: they stop the upstream call and remember why. */
export interface AttemptClocks {
  readonly signal: AbortSignal
  /** Why it was stopped, or null. */
  readonly reason: StopReason | null
  /** The head of the answer is there, so the connection stood. */
  answered(): void
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
  const lookMs = (limits.connect?.milliseconds ?? Infinity) / 2
  let lookAt = startedAt + lookMs
  let isAnswered = false
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
    if (now >= lookAt) void look()
    schedule(now)
  }

  async function look() {
    lookAt = Infinity
    const canConnect = await limits.connect?.canConnect(lookMs)
    if (canConnect === false && !isAnswered) stop('connect')
  }

  function schedule(now: number) {
    const wait = Math.min(startedAt + limits.totalMs, touchedAt + gapMs(), now + limits.idleMs, lookAt) - now
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
    answered() {
      isAnswered = true
      lookAt = Infinity
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
      isAnswered = true
      clearTimeout(timer)
      running.delete(stop)
    },
  }
}
