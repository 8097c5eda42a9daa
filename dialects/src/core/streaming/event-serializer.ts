import type { JsonObject } from '../json'
import type { EventFormat } from '../neutral/codec'

const encoder = new TextEncoder()
const noBytes = new Uint8Array(0)

/** Writes the events of one stream as text, and numbers them where the dialect does. */
export class EventSerializer {
  #sent = 0
  readonly #format: EventFormat

  constructor(format: EventFormat) {
    this.#format = format
  }

  write(events: readonly JsonObject[]): string {
    let text = ''
    for (const event of events) text += this.#text(event, this.nextNumber())
    return text
  }

  /** Returns the number of an event that is sent now. */
  nextNumber(): number {
    return this.#sent++
  }

  /** Returns the form in which other texts than this one would be written; null where its place is not beyond doubt. */
  formOf(event: JsonObject, text: string): WrittenForm | null {
    const { numberMember } = this.#format
    return WrittenForm.of(this.#text(event, 0), text, numberMember === undefined ? null : `"${numberMember}":`)
  }

  #text(event: JsonObject, number: number): string {
    const { eventText, numberMember } = this.#format
    return eventText(numberMember === undefined ? event : { ...event, [numberMember]: number })
  }
}

/** An event as it was written, without its text and its number: what stands around them. */
export class WrittenForm {
  readonly #before: Uint8Array
  readonly #after: Uint8Array
  /** Behind the number; null where there is none. */
  readonly #end: Uint8Array | null

  private constructor(
    readonly key: string,
    before: string,
    after: string,
    end: string | null,
  ) {
    this.#before = encoder.encode(before)
    this.#after = encoder.encode(after)
    this.#end = end === null ? null : encoder.encode(end)
  }

  /** `event` has the number 0 where it has one, last of all and behind `numberName`. Null where the text is not there exactly once. */
  static of(event: string, text: string, numberName: string | null): WrittenForm | null {
    const quoted = JSON.stringify(text)
    const at = text === '' ? -1 : event.indexOf(quoted)
    if (at < 0 || event.includes(quoted, at + 1)) return null
    const before = event.slice(0, at + 1)
    const behind = event.slice(at + quoted.length - 1)
    const key = `${before}\n${behind}`
    const number = numberName === null ? -1 : behind.lastIndexOf(`${numberName}0`)
    if (numberName === null || number < 0) return new WrittenForm(key, before, behind, null)
    const index = number + numberName.length
    return new WrittenForm(key, before, behind.slice(0, index), behind.slice(index + 1))
  }

  /** Returns the event with the text that stands there, which has no escapes. */
  write(bytes: Uint8Array, start: number, end: number, number: number): Uint8Array {
    const [before, after, behind] = [this.#before, this.#after, this.#end ?? noBytes]
    const digits = this.#end === null ? '' : String(number)
    const written = new Uint8Array(before.length + end - start + after.length + digits.length + behind.length)
    let at = before.length
    written.set(before)
    for (let index = start; index < end; index += 1) written[at++] = bytes[index] ?? 0
    written.set(after, at)
    at += after.length
    for (let index = 0; index < digits.length; index += 1) written[at++] = digits.charCodeAt(index)
    written.set(behind, at)
    return written
  }
}
