import { nextTurn } from '../../platform/time/timers'

/** What a waiting message takes besides its text. */
export const messageBytes = 128
/** Messages that are handled before the loop serves others: about two milliseconds. */
export const messagesAtOnce = 128

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

  /** How many wait. */
  get count(): number {
    return this.#waiting.length
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
    void checked.finally(() => void this.#readWaiting())
  }

  async #readWaiting(): Promise<void> {
    for (let handled = 1; this.#waiting.length > 0; handled += 1) {
      if (handled % messagesAtOnce === 0) await nextTurn()
      const next = this.#waiting.shift()
      if (next === undefined) break
      this.#bytes -= next.length + messageBytes
      await this.read(next)
    }
    this.#isChecking = false
  }
}
