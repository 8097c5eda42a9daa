import { sql } from 'kysely'

import type { Config } from '../../platform/config/config'
import type { LogWriter } from '../../platform/telemetry/log/log-writer'
import { openDatabase } from '../../platform/store/open-database'
import { DatabaseUnavailableError } from '../../platform/store/database-errors'
import { systemTimers } from '../../platform/time/timers'

/** Between two attempts. */
const pauseMs = 500

/** Codes of a server or a network that is still starting; a wrong password or a missing database does not improve by waiting. */
const passingCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  // starting up; too many connections
  '57P03',
  '53300',
])

/**
 * Waits until PostgreSQL responds, for at most `DATABASE_WAIT`: at boot it may come up after the gateway.
 * @throws DatabaseUnavailableError when it does not, or when waiting is useless.
 */
export async function awaitDatabase(
  config: Pick<Config, 'databaseUrl' | 'databaseWaitMs' | 'durability'>,
  writeLog: LogWriter,
): Promise<void> {
  if (!config.databaseUrl) return
  const deadline = performance.now() + config.databaseWaitMs
  const database = await openDatabase(config, '', { connections: 1 })
  try {
    for (let isFirst = true; ; isFirst = false) {
      const error = await refusalOf(() => sql`select 1`.execute(database.query))
      if (error === null) return
      if (!isPassing(error) || performance.now() > deadline) throw error
      if (isFirst) writeLog('warn', `${error.message}; waiting for it`, { seconds: config.databaseWaitMs / 1000 })
      await systemTimers.wait(pauseMs)
    }
  } finally {
    await database.close()
  }
}

async function refusalOf(attempt: () => Promise<unknown>): Promise<DatabaseUnavailableError | null> {
  try {
    await attempt()
    return null
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) return error
    throw error
  }
}

function isPassing({ cause }: DatabaseUnavailableError): boolean {
  const [inner = cause] = cause instanceof AggregateError ? cause.errors : [cause]
  if (!(inner instanceof Error)) return false
  const code = 'code' in inner ? String(inner.code) : ''
  // The driver's own connect timeout has no code.
  return passingCodes.has(code) || /timeout/i.test(inner.message)
}
