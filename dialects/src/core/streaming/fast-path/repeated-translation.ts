import type { JsonObject } from '../../json'
import type { EventSerializer, WrittenForm } from '../event-serializer'
import { maxRepeatLength, type TextEvent, textEventOf, TextRun } from './text-event'

/**
 * Spares a translation the events that differ from the one before them in their text alone, once two such events in turn were
 * written in the same form: their text goes from bytes to bytes. The run of them is read and written as one event when it ends.
 */
export class RepeatedTranslation {
  readonly #serializer: EventSerializer
  /** The form of the event read last, when it brought a piece of text and nothing else. */
  #form: TextEvent | null = null
  /** The event read last was like the one before it. */
  isRepeat = false
  /** How the latest piece of text was written. */
  #lastWritten: WrittenForm | null = null
  /** How events that are like `#form` are written; null where they have to be read. */
  #written: WrittenForm | null = null
  #run: TextRun | null = null

  constructor(serializer: EventSerializer) {
    this.#serializer = serializer
  }

  get form(): TextEvent | null {
    return this.#form
  }

  get pieces(): number {
    return this.#run?.pieces ?? 0
  }

  get textBytes(): number {
    return this.#run?.textBytes ?? 0
  }

  /** Returns what to write for the event that stands there; null when it has to be read. */
  take(bytes: Uint8Array, start: number, end: number): Uint8Array | null {
    const form = this.#form
    if (form === null || this.#written === null || end - start > maxRepeatLength) return null
    if (this.#run?.isFull || !form.isLike(bytes, start, end)) return null
    this.#run ??= new TextRun(form)
    this.#run.add(bytes, start, end)
    return this.#written.write(bytes, form.start, form.end, this.#serializer.nextNumber())
  }

  /** Ends the run. Returns all of it as one event, which was written already; null when there was none. */
  endRun(): TextRun | null {
    const run = this.#run
    this.#run = null
    return run
  }

  /** An event was read, which brought this text and nothing else; null when it brought something else. */
  read(event: Uint8Array, text: string | null): void {
    this.#written = null
    this.isRepeat = text !== null && (this.#form?.isLike(event, 0, event.length) ?? false)
    if (!this.isRepeat) this.#form = text === null ? null : textEventOf(event, text)
  }

  /** These events were written for this text; null when they were written for something else. */
  wrote([only, ...others]: readonly JsonObject[], text: string | null): void {
    const form = text === null || only === undefined || others.length > 0 ? null : this.#serializer.formOf(only, text)
    this.#written = this.isRepeat && form?.key === this.#lastWritten?.key ? form : null
    this.#lastWritten = form
  }
}
