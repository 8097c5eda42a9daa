import type { Clock } from '../../platform/time/clock'

const capacity = 1_000

interface Entry<Value> {
  readonly value: Value
  readonly until: number
}

/** What holds for a time, by name: how upstreams serve their models. In this worker's memory; the oldest are dropped first. */
export class Remembered<Value extends object> {
  readonly #entries = new Map<string, Entry<Value>>()

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly ms: number,
  ) {}

  /** Costs nothing while there are none. */
  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  get(name: string): Value | undefined {
    const entry = this.#entries.get(name)
    if (entry === undefined) return undefined
    if (entry.until > this.clock.monotonic()) return entry.value
    this.#entries.delete(name)
    return undefined
  }

  /** Adds to what is remembered by this name, all of which then holds for the whole time again. */
  add(name: string, value: Value): void {
    const all = { ...this.get(name), ...value }
    this.#entries.delete(name)
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined && this.#entries.size >= capacity) this.#entries.delete(oldest)
    this.#entries.set(name, { value: all, until: this.clock.monotonic() + this.ms })
  }
}
