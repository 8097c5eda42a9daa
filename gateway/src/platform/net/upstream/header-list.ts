/** The header fields of a response. Names are case-insensitive; the values of one name are joined in one line, with commas. */
export class HeaderList {
  readonly #values = new Map<string, string>()

  add(name: string, value: string): void {
    const key = name.toLowerCase()
    const known = this.#values.get(key)
    this.#values.set(key, known === undefined ? value : `${known}, ${value}`)
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
  }
}
