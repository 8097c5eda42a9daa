const shortestPauseMs = 1000
const longestPauseMs = 60_000

export interface PatientRecoveryOptions {
  /** Settle what is left. Answers whether nothing is left any more. Never rejects. */
  readonly recover: () => Promise<boolean>
  readonly wait: (ms: number) => Promise<void>
  /** Nobody needs it any more: the next start does it. */
  readonly isStopping: () => boolean
}

/**
 * What a dead worker left is settled at once, and when the database does not answer as soon as it does: charges that
 * are durable are not left lying until somebody starts the gateway again.
 */
export class PatientRecovery {
  #isTrying = false

  constructor(readonly options: PatientRecoveryOptions) {}

  /** Resolves after the first try, so that another worker takes the place of the dead one. */
  async begin(): Promise<void> {
    if (!(await this.options.recover())) void this.#tryOn()
  }

  async #tryOn(): Promise<void> {
    if (this.#isTrying) return
    this.#isTrying = true
    const { recover, wait, isStopping } = this.options
    let pauseMs = shortestPauseMs
    for (;;) {
      await wait(pauseMs)
      if (isStopping() || (await recover())) break
      pauseMs = Math.min(longestPauseMs, pauseMs * 2)
    }
    this.#isTrying = false
  }
}
