import type { StreamForm } from '../dialect'
import { SseFrames } from './sse-frames'
import { serverEvent } from './server-event'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The data of the events as the items of one JSON array, each as soon as it comes. */
export class JsonArrayForm implements StreamForm {
  readonly contentType = 'application/json'
  readonly #frames = new SseFrames()
  #isBegun = false

  push(events: Uint8Array): Uint8Array {
    const read = this.#frames.push(events)
    if (read === null) return new Uint8Array(0)
    let text = ''
    let start = read.start
    for (const end of read.ends) {
      text += this.#item(read.bytes.subarray(start, end))
      start = end
    }
    return encoder.encode(text)
  }

  end(): Uint8Array {
    const rest = this.#frames.rest()
    const last = rest.length === 0 ? '' : this.#item(rest)
    return encoder.encode(this.#isBegun ? `${last}]` : '[]')
  }

  #item(bytes: Uint8Array): string {
    const event = serverEvent(decoder.decode(bytes))
    if (event === null) return ''
    const before = this.#isBegun ? ',\r\n' : '['
    this.#isBegun = true
    return before + event.data
  }
}
