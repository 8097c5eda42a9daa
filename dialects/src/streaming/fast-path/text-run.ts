import { TextBuffer } from './text-buffer'
import type { TextEvent } from './text-event'

const encoder = new TextEncoder()
/** Then it is said, and the next run begins: no more than that is kept of it. */
const longest = 64 * 1024

/** What was written for a piece of text, without the text: where another piece would stand. */
interface WrittenForm {
  readonly before: string
  /** Up to the event's number, where it has one. */
  readonly after: string
  readonly number: number | null
  readonly end: string
}

/**
 * A text whose pieces come, and are written, in events that differ in nothing but the piece (and the number of the event): each
 * is given on from bytes to bytes. Nobody else hears of them before the run ends, and then of all as of one piece.
 */
export class TextRun {
  pieces = 0
  readonly #text = new TextBuffer()
  readonly #from: TextEvent
  readonly #before: Uint8Array
  readonly #after: Uint8Array
  readonly #end: Uint8Array
  #number: number | null

  constructor(from: TextEvent, { before, after, number, end }: WrittenForm) {
    this.#from = from
    this.#before = encoder.encode(before)
    this.#after = encoder.encode(after)
    this.#end = encoder.encode(end)
    this.#number = number
  }

  get textBytes(): number {
    return this.#text.seen
  }

  /** What was said, as one. */
  get text(): string {
    return this.#text.text()
  }

  /** What to write for the event that stands there; null when it does not go on with the run. */
  take(bytes: Uint8Array, from: number, to: number): Uint8Array | null {
    if (this.#text.length >= longest || !this.#from.isLike(bytes, from, to)) return null
    const { start, end } = this.#from
    this.pieces += 1
    this.#text.appendBytes(bytes, start, end)
    return this.#written(bytes, start, end)
  }

  #written(bytes: Uint8Array, start: number, end: number): Uint8Array {
    const digits = this.#number === null ? '' : String((this.#number += 1))
    const [before, after, behind] = [this.#before, this.#after, this.#end]
    const written = new Uint8Array(before.length + end - start + after.length + digits.length + behind.length)
    let at = before.length
    written.set(before)
    for (let place = start; place < end; place += 1) written[at++] = bytes[place] ?? 0
    written.set(after, at)
    at += after.length
    for (let place = 0; place < digits.length; place += 1) written[at++] = digits.charCodeAt(place)
    written.set(behind, at)
    return written
  }
}

/** Learns from what was written for pieces of text whether the next ones will be written in the same form. */
export class WrittenForms {
  #last: WrittenForm | null = null

  /** `isNumbered`: the last number in an event is its own. */
  constructor(readonly isNumbered: boolean) {}

  /**
   * The form, once two in turn had it; the first piece of a text may come with its beginning. `text` is null where something
   * else was written.
   */
  learn(written: string, text: string | null): WrittenForm | null {
    const before = this.#last
    const now = text === null ? null : this.#formOf(written, text)
    this.#last = now
    return before && now && isNext(now, before) ? now : null
  }

  #formOf(written: string, text: string): WrittenForm | null {
    const quoted = JSON.stringify(text)
    const at = text === '' ? -1 : written.indexOf(quoted)
    if (at < 0 || written.includes(quoted, at + 1)) return null
    const behind = written.slice(at + quoted.length - 1)
    const form = { before: written.slice(0, at + 1), after: '', number: null, end: behind }
    const [, after, digits, end] = (this.isNumbered && /^(.*\D)(\d+)(\D*)$/s.exec(behind)) || []
    return after === undefined || end === undefined ? form : { ...form, after, number: Number(digits), end }
  }
}

const isNext = (form: WrittenForm, last: WrittenForm): boolean =>
  form.before === last.before &&
  form.after === last.after &&
  form.end === last.end &&
  (form.number === null || form.number - 1 === last.number)
