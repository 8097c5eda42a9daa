import type { JsonObject } from '../json'
import type { EventFormat } from '../neutral/codec'
import { WrittenForm } from './fast-path/written-form'

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
