/** Keeps the latest entries, at most as many as the limit says. */
export class RecentMap<Value> {
  readonly #entries = new Map<string, Value>()

  constructor(private readonly limit: number) {}

  get(key: string): Value | undefined {
    return this.#entries.get(key)
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.limit) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }
}
