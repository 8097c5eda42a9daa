/** A counting semaphore: a limited number of slots and the queue for them, first in, first out. */
export class Semaphore {
  #slots: number
  #inside = 0
  /** In order; an object each, so that the same function may be queued twice. */
  readonly #line = new Set<{ readonly letIn: () => void }>()

  constructor(slots: number) {
    this.#slots = slots
  }

  get inside(): number {
    return this.#inside
  }

  get waiting(): number {
    return this.#line.size
  }

  /** Changes the number of slots; those waiting take the new ones. */
  resize(slots: number): void {
    if (slots === this.#slots) return
    this.#slots = slots
    this.#moveUp()
  }

  /** Takes a slot when one is free. */
  take(): boolean {
    if (this.#inside >= this.#slots || this.#line.size > 0) return false
    this.#inside += 1
    return true
  }

  /**
   * Joins the queue; `letIn` is called once, with the slot taken. Returns a function that leaves the queue, and does nothing once let in.
   */
  join(letIn: () => void): () => void {
    const entry = { letIn }
    this.#line.add(entry)
    return () => void this.#line.delete(entry)
  }

  /** Gives a slot back; the first in the queue gets it. */
  leave(): void {
    this.#inside -= 1
    this.#moveUp()
  }

  #moveUp(): void {
    for (const first of this.#line) {
      if (this.#inside >= this.#slots) return
      this.#line.delete(first)
      this.#inside += 1
      first.letIn()
    }
  }
}
