import { sql } from 'kysely'

import type { Config } from '../config'
import type { Say } from '../log/say'
import { openDatabase } from '../store/open-database'
import { DatabaseAway } from '../store/database-away'

/** Between two tries. */
const pauseMs = 500

/** What a server or a network that is only starting says; a wrong password or a missing database gets no better by waiting. */
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
 * Waits until PostgreSQL answers, for at most `DATABASE_WAIT`: at boot it may come later than the gateway.
 * @throws DatabaseAway when it does not, or says that waiting is no use.
 */
export async function awaitDatabase(
  config: Pick<Config, 'databaseUrl' | 'databaseWaitMs' | 'durability'>,
  say: Say,
): Promise<void> {
  if (!config.databaseUrl) return
  const deadline = performance.now() + config.databaseWaitMs
  const database = await openDatabase(config, '', { connections: 1 })
  try {
    for (let isFirst = true; ; isFirst = false) {
      const error = await refusalOf(() => sql`select 1`.execute(database.query))
      if (error === null) return
      if (!isPassing(error) || performance.now() > deadline) throw error
      if (isFirst) say('warn', `${error.message}; waiting for it`, { seconds: config.databaseWaitMs / 1000 })
      await Bun.sleep(pauseMs)
    }
  } finally {
    await database.close()
  }
}

async function refusalOf(ask: () => Promise<unknown>): Promise<DatabaseAway | null> {
  try {
    await ask()
    return null
  } catch (error) {
    if (error instanceof DatabaseAway) return error
    throw error
  }
}

function isPassing({ cause }: DatabaseAway): boolean {
  const [inner = cause] = cause instanceof AggregateError ? cause.errors : [cause]
  if (!(inner instanceof Error)) return false
  const code = 'code' in inner ? String(inner.code) : ''
  // The driver's own time limit for a connection has no code.
  return passingCodes.has(code) || /timeout/i.test(inner.message)
}
