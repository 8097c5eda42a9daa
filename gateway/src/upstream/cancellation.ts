/** The call was not wanted any more. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
  constructor() {
    super('The call was cancelled')
  }
}

/** Ends what is under way, once, from outside. As an AbortController does, at a fraction of what one costs a call. */
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

  /** Called when it is cancelled; at once when it is already. */
  onCancel(listener: () => void): void {
    if (this.#isCancelled) listener()
    else this.#listeners.push(listener)
  }

  /** The listener has nothing to end any more. */
  forget(listener: () => void): void {
    this.#listeners = this.#listeners.filter((other) => other !== listener)
  }

  cancel(): void {
    if (this.#isCancelled) return
    this.#isCancelled = true
    for (const listener of this.#listeners) listener()
    this.#listeners = []
    this.#controller?.abort()
  }
}
