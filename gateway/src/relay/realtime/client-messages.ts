/** What a waiting message takes besides its text. */
export const messageBytes = 128

/** Messages of a client, in order: those behind one whose words are being checked wait. */
export class ClientMessages {
  readonly #waiting: string[] = []
  #bytes = 0
  #isChecking = false

  /** `read` sends a message on or refuses it, and never rejects. Null: it is done with it already, as with most. */
  constructor(private readonly read: (text: string) => Promise<void> | null) {}

  /** What waits. */
  get bytes(): number {
    return this.#bytes
  }

  take(text: string): void {
    if (!this.#isChecking) return this.#read(text)
    this.#waiting.push(text)
    this.#bytes += text.length + messageBytes
  }

  forget(): void {
    this.#waiting.length = 0
    this.#bytes = 0
  }

  #read(text: string): void {
    const checked = this.read(text)
    if (!checked) return
    this.#isChecking = true
    void checked.finally(() => this.#readNext())
  }

  #readNext(): void {
    this.#isChecking = false
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#bytes -= next.length + messageBytes
      this.#read(next)
      if (this.#isChecking) return
    }
  }
}
