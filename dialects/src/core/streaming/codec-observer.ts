import type { JsonObject } from '../json'
import type { EventReader } from '../neutral/codec'
import { parsedObject } from '../neutral/read'
import { Accumulator } from './accumulator'
import type { StreamCut, StreamObserver, Verdict } from './observer'
import { serverEvent } from './server-event'

const encoder = new TextEncoder()

/** Writes the events that end a stream, of which this is the last event so far, before its own end. */
type WriteEnding = (cut: StreamCut, last: JsonObject) => string

/** Learns from a stream whatever its reader reads from each event. For dialects whose last event says why the answer ended. */
export class CodecObserver extends Accumulator implements StreamObserver {
  readonly onlyText = null
  events = 0
  isDone = false
  #last = ''
  readonly #reader: EventReader
  readonly #writeEnding: WriteEnding

  constructor(reader: EventReader, writeEnding: WriteEnding) {
    super()
    this.#reader = reader
    this.#writeEnding = writeEnding
  }

  observe(text: string): Verdict {
    const event = serverEvent(Buffer.from(text, 'latin1').toString('utf8'))
    if (event === null) return 'pass'
    this.events += 1
    this.#last = event.data
    for (const part of this.#reader.read(event)) this.add(part)
    this.isDone = this.isFinished
    return this.isDone ? 'end' : 'pass'
  }

  ending(cut: StreamCut): Uint8Array {
    return encoder.encode(this.#writeEnding(cut, parsedObject(this.#last) ?? {}))
  }
}
