import { EventDataForm } from './event-data-form'

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
