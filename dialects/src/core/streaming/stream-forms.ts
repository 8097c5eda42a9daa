import type { StreamForm } from '../dialect'
import { serverEvent, SseFrames } from './sse-frames'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Another form of a stream, made of the data of its events, each as soon as it comes. */
abstract class EventDataForm implements StreamForm {
  abstract readonly contentType: string
  readonly #frames = new SseFrames()

  /** Returns what is sent for an event. */
  protected abstract item(data: string): string

  /** Returns what is sent after the last event. */
  protected abstract last(): string

  push(events: Uint8Array): Uint8Array {
    const read = this.#frames.push(events)
    if (read === null) return new Uint8Array(0)
    let text = ''
    let start = read.start
    for (const end of read.ends) {
      text += this.#textOf(read.bytes.subarray(start, end))
      start = end
    }
    return encoder.encode(text)
  }

  end(): Uint8Array {
    const rest = this.#frames.rest()
    const text = rest.length === 0 ? '' : this.#textOf(rest)
    return encoder.encode(text + this.last())
  }

  #textOf(bytes: Uint8Array): string {
    const event = serverEvent(decoder.decode(bytes))
    return event === null ? '' : this.item(event.data)
  }
}

/** The data of the events as the items of one JSON array. */
export class JsonArrayForm extends EventDataForm {
  readonly contentType = 'application/json'
  #hasItems = false

  protected item(data: string): string {
    const before = this.#hasItems ? ',\r\n' : '['
    this.#hasItems = true
    return before + data
  }

  protected last(): string {
    return this.#hasItems ? ']' : '[]'
  }
}

/** The data of each event as a line of its own. */
export class LinesForm extends EventDataForm {
  constructor(readonly contentType: string) {
    super()
  }

  protected item(data: string): string {
    return `${data}\n`
  }

  protected last(): string {
    return ''
  }
}
