import { nextTurn } from '../../platform/time/timers'

/** What a waiting message takes besides its text. */
const messageBytes = 128
/** Messages that are handled before the loop serves others: about two milliseconds. */
const messagesAtOnce = 128

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

/** What is done with the messages of an upstream. */
interface Handler<End> {
  /** The client is there. */
  readonly mayBegin: () => boolean
  readonly isOver: () => boolean
  readonly message: (text: string) => Promise<void> | null
  readonly onEnd: (end: End) => void
  /** Called when none is left. */
  readonly onEmpty: () => void
}

/** Messages of an upstream and its end, handled in order, one at a time. */
export class UpstreamMessages<End extends object> {
  readonly #waiting: (string | End)[] = []
  #bytes = 0
  #isHandling = false

  constructor(private readonly handler: Handler<End>) {}

  /** What waits. */
  get bytes(): number {
    return this.#bytes
  }

  get isHandling(): boolean {
    return this.#isHandling
  }

  add(text: string): void {
    this.#waiting.push(text)
    this.#bytes += text.length + messageBytes
  }

  end(end: End): void {
    this.#waiting.push(end)
  }

  handle(): void {
    const { mayBegin, isOver, onEmpty } = this.handler
    if (this.#isHandling || !mayBegin()) return
    this.#isHandling = true
    void this.#handleAll().finally(() => {
      this.#isHandling = false
      if (isOver()) return
      if (this.#waiting.length > 0) this.handle()
      else onEmpty()
    })
  }

  async #handleAll(): Promise<void> {
    const { isOver, message, onEnd } = this.handler
    let handled = 0
    for (let next = this.#waiting.shift(); next !== undefined && !isOver(); next = this.#waiting.shift()) {
      if (typeof next !== 'string') {
        onEnd(next)
        continue
      }
      this.#bytes -= next.length + messageBytes
      handled += 1
      if (handled % messagesAtOnce === 0) await nextTurn()
      if (isOver()) return
      const handling = message(next)
      if (handling) await handling
    }
  }
}
