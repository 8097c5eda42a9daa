/** The call is not wanted any more. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
  constructor() {
    super('The call was cancelled')
  }
}

/** Cancels an operation once, from outside. Like an AbortController, at a fraction of its cost per call. */
export class Cancellation {
  #isCancelled = false
  #listeners: (() => void)[] = []
  #controller: AbortController | null = null

  get isCancelled(): boolean {
    return this.#isCancelled
  }

  /** The same for functions of the runtime. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#isCancelled) this.#controller.abort()
    }
    return this.#controller.signal
  }

  /** Calls the listener on cancellation; at once if already cancelled. */
  onCancel(listener: () => void): void {
    if (this.#isCancelled) listener()
    else this.#listeners.push(listener)
  }

  /** Removes a listener that has nothing left to cancel. */
  forget(listener: () => void): void {
    const at = this.#listeners.indexOf(listener)
    if (at >= 0) this.#listeners.splice(at, 1)
  }

  cancel(): void {
    if (this.#isCancelled) return
    this.#isCancelled = true
    const listeners = this.#listeners
    this.#listeners = []
    for (const listener of listeners) listener()
    this.#controller?.abort()
  }
}
