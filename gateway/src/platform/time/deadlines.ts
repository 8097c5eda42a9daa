/** Something that must be looked at when its time has come. */
export interface Deadline {
  /** Its index in the `Deadlines` that keep it; null before and after. */
  index: number | null
  /** Monotonic milliseconds. */
  readonly dueAt: number
  /** Called when that time has come: it is removed, or is due later. */
  check(now: number): void
}

interface DeadlineTime {
  now(): number
  /** Runs it after some milliseconds. Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void
}

/**
 * Deadlines of much that nearly always ends long before, with one timer for all: a timer each would cost more than it guards. They are in
 * an array because a Set, as its members come and go, leaves its old tables behind, each of which references the next: minor collections
 * would free nothing that was ever in one.
 */
export class Deadlines<Kept extends Deadline> {
  protected readonly all: Kept[] = []
  #cancelWake = () => {}
  #wakesAt = Infinity

  constructor(
    private readonly time: DeadlineTime,
    /** The timer outlasts the last of them: another is likely to follow. */
    private readonly keepsTimer = false,
  ) {}

  get count(): number {
    return this.all.length
  }

  add(deadline: Kept): void {
    deadline.index = this.all.push(deadline) - 1
    this.#wakeAt(deadline.dueAt)
  }

  /** Removes what is over; removing it again does nothing. */
  remove(deadline: Kept): void {
    if (deadline.index === null) return
    const last = this.all.pop()
    if (last && last !== deadline) {
      this.all[deadline.index] = last
      last.index = deadline.index
    }
    deadline.index = null
    if (this.all.length > 0 || this.keepsTimer) return
    this.#cancelWake()
    this.#wakesAt = Infinity
  }

  #wakeAt(dueAt: number) {
    if (dueAt >= this.#wakesAt) return
    this.#cancelWake()
    this.#wakesAt = dueAt
    this.#cancelWake = this.time.after(Math.max(1, Math.ceil(dueAt - this.time.now())), () => this.#wake())
  }

  #wake() {
    this.#wakesAt = Infinity
    const now = this.time.now()
    const due = this.all.filter(({ dueAt }) => dueAt <= now)
    // One that ends as a consequence of another is not checked any more.
    for (const deadline of due) if (deadline.index !== null) deadline.check(now)
    const first = this.all.reduce((earliest, { dueAt }) => Math.min(earliest, dueAt), Infinity)
    if (first < Infinity) this.#wakeAt(first)
  }
}
