import { Deadlines, type Deadline } from '../../platform/time/deadlines'
import type { Time } from '../../platform/time/timers'

/** Why an attempt was stopped: a time limit, the client left, its access was revoked, or the gateway stops. */
export type StopReason = 'first-byte' | 'idle' | 'total' | 'client' | 'revoked' | 'shutdown'

/** The user and token that a call belongs to. */
export interface CallOwner {
  readonly userId: number
  /** 0 in the playground. */
  readonly tokenId: number
}

/** The caller who waits for the result of an attempt. */
export interface AttemptCaller extends CallOwner {
  /** Called when its key or account may no longer call. */
  sendAway(): void
}

/** An upstream call in flight, which is due when its limits must be checked. */
export interface RunningAttempt extends Deadline {
  /** Null for a call of the gateway's own. */
  readonly caller: AttemptCaller | null
  stop(reason: StopReason): void
}

/** The upstream calls in flight. */
export class RunningAttempts extends Deadlines<RunningAttempt> {
  /** `keepsTimer` as for `Deadlines`. */
  constructor({ clock, timers }: Time, keepsTimer?: boolean) {
    super({ now: () => clock.monotonic(), after: (ms, work) => timers.after(ms, work) }, keepsTimer)
  }

  /** Returns the callers of the calls in flight. */
  callers(): readonly AttemptCaller[] {
    return this.all.flatMap(({ caller }) => (caller === null ? [] : [caller]))
  }

  stopAll(reason: StopReason): void {
    for (const attempt of this.all.slice()) attempt.stop(reason)
  }
}
