import type { Logger } from 'pino'

import { DatabaseUnavailableError } from './database-errors'

/** Reports an outage of the database when it begins and when it is over, however many queries fail in between. */
export class DatabaseWatch {
  readonly #log: Pick<Logger, 'warn'>
  #isFailing = false

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log
  }

  /** As of the last query. */
  get isResponding(): boolean {
    return !this.#isFailing
  }

  onFailure(error: unknown): void {
    if (this.#isFailing) return
    this.#isFailing = true
    this.#log.warn({ error }, 'the database does not respond; calls go on while their leases last')
  }

  onResponse(): void {
    if (this.#isFailing) this.#log.warn('the database responds again')
    this.#isFailing = false
  }
}

/**
 * Returns the level of a failure: an unavailable database is reported by its watch, except for a file that another process keeps from
 * being written, which reads do not notice.
 */
export const levelOf = (error: unknown, level: 'warn' | 'error'): 'debug' | 'warn' | 'error' =>
  error instanceof DatabaseUnavailableError && !isWriteLocked(error) ? 'debug' : level

const isWriteLocked = ({ cause }: DatabaseUnavailableError): boolean =>
  cause instanceof Error && 'code' in cause && String(cause.code).startsWith('SQLITE_BUSY')
