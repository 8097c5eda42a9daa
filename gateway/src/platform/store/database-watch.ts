import type { Logger } from 'pino'

import { DatabaseUnavailableError } from './database-errors'

/** Reports an outage of the database when it begins and when it is over, however many queries fail in between. */
export interface DatabaseWatch {
  onFailure(error: unknown): void
  onResponse(): void
  /** As of the last query. */
  readonly isResponding: boolean
}

export function createDatabaseWatch(log: Pick<Logger, 'warn'>): DatabaseWatch {
  let isFailing = false
  return {
    get isResponding() {
      return !isFailing
    },
    onFailure(error) {
      if (isFailing) return
      isFailing = true
      log.warn({ error }, 'the database does not respond; calls go on while their leases last')
    },
    onResponse() {
      if (isFailing) log.warn('the database responds again')
      isFailing = false
    },
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
