import { nextTurn } from '../../platform/time/timers'
import { messageBytes, messagesAtOnce } from '../sessions/client-messages'

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
