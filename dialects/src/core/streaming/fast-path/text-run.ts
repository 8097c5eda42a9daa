import { TextBuffer } from './text-buffer'
import type { TextEvent } from './text-event'

/** A longer event may have a picture in its text, which is not counted as text. */
export const maxRepeatLength = 4096

/** Longer runs end here and begin anew, which bounds what is kept of them. */
const maxLength = 64 * 1024

/** A run of events that differ from an event before them in their text (and in what varies without meaning) alone. */
export class TextRun {
  pieces = 0
  readonly #text = new TextBuffer()
  readonly #form: TextEvent
  /** Where the last event of the run stands, and its text within. */
  #bytes: Uint8Array = new Uint8Array(0)
  #start = 0
  #end = 0
  #textStart = 0
  #textEnd = 0

  constructor(form: TextEvent) {
    this.#form = form
  }

  get textBytes(): number {
    return this.#text.seen
  }

  get isFull(): boolean {
    return this.#text.length >= maxLength
  }

  /** Adds the event that stands there, which the form was last found to be like. Takes no copy but of the text. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const form = this.#form
    this.pieces += 1
    this.#bytes = bytes
    this.#start = start
    this.#end = end
    this.#textStart = form.start
    this.#textEnd = form.end
    this.#text.appendBytes(bytes, form.start, form.end)
  }

  /** Returns the last event of the run with the text of all of them. */
  mergeEvents(): Uint8Array {
    const before = this.#bytes.subarray(this.#start, this.#textStart)
    const after = this.#bytes.subarray(this.#textEnd, this.#end)
    return Buffer.concat([before, this.#text.bytes(), after])
  }
}
