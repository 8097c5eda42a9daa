import type { Logger } from 'pino'

import { setAsideIn } from './journal-files'

/** How many files of the journal folder hold charges that could not be read, or say that charges are missing. */
export class SetAsideFiles {
  #count: number

  constructor(
    readonly folder: string,
    readonly log: Logger,
  ) {
    this.#count = setAsideIn(folder).length
  }

  get count(): number {
    return this.#count
  }

  /** Keeps the last count while the folder cannot be read, for want of a file descriptor for example. */
  recount(): void {
    try {
      this.#count = setAsideIn(this.folder).length
    } catch (error) {
      this.log.warn({ error }, 'the journal folder could not be read')
    }
  }
}
