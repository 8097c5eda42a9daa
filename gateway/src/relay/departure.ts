import { AppError } from '../platform/app-error'
import type { AttemptCaller, StopReason } from '../channels/calls/running-attempts'
import type { Payer } from '../billing/ledger/ledger'
import { Cancellation } from '@tollgate/http-client'

/**
 * The moment from which no client waits for the response of a call: it leaves, or is sent away because its key or account may no longer
 * call. What follows is the same for both: the upstream is read on where the vendor bills the rest, and what it reports is charged.
 */
export class Departure implements AttemptCaller {
  readonly #cancellation = new Cancellation()
  #isSentAway = false

  private constructor(
    readonly userId: number,
    readonly tokenId: number,
  ) {}

  /** Returns the departure of a client that waits on no connection: its call runs in the background. */
  static withoutConnection({ userId, tokenId }: Pick<Payer, 'userId' | 'tokenId'>): Departure {
    return new Departure(userId, tokenId)
  }

  /** Returns the departure of a client whose connection this signal ends. */
  static of(signal: AbortSignal, { userId, tokenId }: Pick<Payer, 'userId' | 'tokenId'>): Departure {
    const departure = new Departure(userId, tokenId)
    if (signal.aborted) departure.leave()
    else signal.addEventListener('abort', () => departure.leave(), { once: true })
    return departure
  }

  get isGone(): boolean {
    return this.#cancellation.isCancelled
  }

  /** It did not leave by itself, so it is told why. */
  get isSentAway(): boolean {
    return this.#isSentAway
  }

  /** The same for what takes signals. */
  get signal(): AbortSignal {
    return this.#cancellation.signal
  }

  /** Returns the error of an attempt that ended because no client waits for it: a caller that was sent away is told why. */
  errorOf(cause: unknown, reason: StopReason | null): unknown {
    return this.#isSentAway && reason === 'client' ? new AppError('caller.revoked', { cause }) : cause
  }

  leave(): void {
    this.#cancellation.cancel()
  }

  sendAway(): void {
    if (this.isGone) return
    this.#isSentAway = true
    this.leave()
  }

  /** Calls the listener when the client is gone; at once if it is. */
  onGone(listener: () => void): void {
    this.#cancellation.onCancel(listener)
  }

  forget(listener: () => void): void {
    this.#cancellation.forget(listener)
  }
}
