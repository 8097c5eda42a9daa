import type { Clock } from '../../clock'

const capacity = 1_000

/** Names that hold for a time: what upstreams said about their models. In this worker's memory; the oldest are dropped first. */
export class Remembered {
  readonly #until = new Map<string, number>()

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly ms: number,
  ) {}

  /** Costs nothing while there are none. */
  get isEmpty(): boolean {
    return this.#until.size === 0
  }

  has(name: string): boolean {
    const until = this.#until.get(name)
    if (until === undefined) return false
    if (until > this.clock.monotonic()) return true
    this.#until.delete(name)
    return false
  }

  add(name: string): void {
    this.#until.delete(name)
    const [oldest] = this.#until.keys()
    if (oldest !== undefined && this.#until.size >= capacity) this.#until.delete(oldest)
    this.#until.set(name, this.clock.monotonic() + this.ms)
  }
}
