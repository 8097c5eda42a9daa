const minPauseMs = 1000
const maxPauseMs = 60_000

export interface RetryingRecoveryOptions {
  /** Settles what is left. Resolves with whether nothing is left any more. Never rejects. */
  readonly recover: () => Promise<boolean>
  readonly wait: (ms: number) => Promise<void>
  /** The next start will do the rest. */
  readonly isStopping: () => boolean
}

/**
 * Settles what a dead worker left at once, or as soon as the database responds again: durable charges do not wait for the next start of
 * the gateway.
 */
export class RetryingRecovery {
  #isTrying = false

  constructor(readonly options: RetryingRecoveryOptions) {}

  /** Resolves after the first attempt, so that another worker takes the place of the dead one. */
  async begin(): Promise<void> {
    if (!(await this.options.recover())) void this.#tryOn()
  }

  async #tryOn(): Promise<void> {
    if (this.#isTrying) return
    this.#isTrying = true
    const { recover, wait, isStopping } = this.options
    let pauseMs = minPauseMs
    for (;;) {
      await wait(pauseMs)
      if (isStopping() || (await recover())) break
      pauseMs = Math.min(maxPauseMs, pauseMs * 2)
    }
    this.#isTrying = false
  }
}
