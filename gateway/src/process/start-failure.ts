/**
 * What is printed of a start that failed: a sentence where the operator can mend it, else all there is.
 * Errors are known by their names: what makes them is loaded by those who use it.
 */
export function startFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error.name === 'ConfigError' || error.name === 'StartError') return error.message
  const away = databaseAwayIn(error)
  return away ? `${away.message}. Tollgate does not start without it; \`tollgate doctor\` says more.` : error
}

function databaseAwayIn(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  return error.name === 'DatabaseAway' ? error : databaseAwayIn(error.cause)
}
