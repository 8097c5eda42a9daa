/**
 * Returns the sentence for a start that failed for a reason the operator can fix; null for anything else. Errors are recognized by their
 * names: the modules that define them are loaded only where they are needed.
 */
export function startFailure(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (sentenceErrors.has(error.name)) return error.message
  const sqlite = causeOf(error, ({ name }) => name === 'SQLiteError')
  if (sqlite) return `The SQLite database cannot be used: ${sqlite.message}. \`tollgate doctor\` says more.`
  const forbidden = causeOf(error, ({ code }: { readonly code?: unknown }) => code === insufficientPrivilege)
  if (forbidden)
    return `The user of DATABASE_URL lacks rights: ${forbidden.message}. Make it the owner of the database and of its tables.`
  const away = causeOf(error, ({ name }) => name === 'DatabaseUnavailableError')
  return away && `${away.message}. Tollgate does not start without it; \`tollgate doctor\` says more.`
}

const sentenceErrors: ReadonlySet<string> = new Set(['ConfigError', 'StartError', 'CommandError'])

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const insufficientPrivilege = '42501'

function causeOf(error: unknown, is: (error: Error & { readonly code?: unknown }) => boolean): Error | null {
  if (!(error instanceof Error)) return null
  return is(error) ? error : causeOf(error.cause, is)
}
