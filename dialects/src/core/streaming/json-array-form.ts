import { EventDataForm } from './event-data-form'

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
