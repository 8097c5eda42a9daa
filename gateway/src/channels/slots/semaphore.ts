/** A counting semaphore: a limited number of places and the queue for them, first in, first out. */
export interface Semaphore {
  readonly inside: number
  readonly waiting: number
  /** Changes the number of places; those waiting take the new ones. */
  resize(places: number): void
  /** Takes a place when one is free. */
  take(): boolean
  /**
   * Joins the queue; `letIn` is called once, with the place taken. Returns a function that leaves the queue, and does nothing once let in.
   */
  join(letIn: () => void): () => void
  /** Gives a place back; the first in the queue gets it. */
  leave(): void
}

export function createSemaphore(initialPlaces: number): Semaphore {
  let places = initialPlaces
  let inside = 0
  /** In order; an object each, so that the same function may be queued twice. */
  const line = new Set<{ readonly letIn: () => void }>()

  function moveUp() {
    for (const first of line) {
      if (inside >= places) return
      line.delete(first)
      inside += 1
      first.letIn()
    }
  }

  return {
    get inside() {
      return inside
    },
    get waiting() {
      return line.size
    },
    resize(next) {
      if (next === places) return
      places = next
      moveUp()
    },
    take() {
      if (inside >= places || line.size > 0) return false
      inside += 1
      return true
    },
    join(letIn) {
      const entry = { letIn }
      line.add(entry)
      return () => void line.delete(entry)
    },
    leave() {
      inside -= 1
      moveUp()
    },
  }
}
