import type { StreamForm } from '../dialect'
import { serverEvent } from './server-event'
import { SseFrames } from './sse-frames'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Another form of a stream, made of the data of its events, each as soon as it comes. */
export abstract class EventDataForm implements StreamForm {
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
