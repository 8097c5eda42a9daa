/** A limited number of places and the line before them, first in, first out. */
export interface Lane {
  readonly inside: number
  readonly waiting: number
  /** Changes the number of places; those who waited for a new one go in. */
  resize(places: number): void
  /** Take a place when one is free. */
  take(): boolean
  /** Stand in line; `letIn` is called once, with the place taken. Returns a function that leaves the line, and does nothing once let in. */
  join(letIn: () => void): () => void
  /** Give a place back; the first in line gets it. */
  leave(): void
}

export function createLane(initialPlaces: number): Lane {
  let places = initialPlaces
  let inside = 0
  /** In their order; an object each, so that the same function may stand in line twice. */
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
