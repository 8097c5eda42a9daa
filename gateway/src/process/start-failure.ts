import { ConfigError } from '../config'

/** What is printed of a start that failed: a sentence where the operator can mend it, else all there is. */
export function startFailure(error: unknown): unknown {
  if (error instanceof ConfigError) return error.message
  const away = databaseAwayIn(error)
  return away ? `${away.message}. Tollgate does not start without it; \`tollgate doctor\` says more.` : error
}

/** By its name: what knows PostgreSQL is loaded by those who use it. */
function databaseAwayIn(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  return error.name === 'DatabaseAway' ? error : databaseAwayIn(error.cause)
}
