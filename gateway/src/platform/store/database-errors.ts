import type { ErrorCode } from '@tollgate/contract'

/**
 * What a second write of the same value means, by its unique index. Writers check before they write; two that check at the same moment
 * collide here.
 */
const meanings: readonly { readonly index: string; readonly column: string; readonly code: ErrorCode }[] = [
  { index: 'users_username_key', column: 'users.username_key', code: 'user.exists' },
  { index: 'users_email', column: "index 'users_email'", code: 'email.taken' },
]

/** Returns the business failure behind an error of the database; undefined for every other error. */
export function codeOfUniqueViolation(error: unknown): ErrorCode | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  // https://www.postgresql.org/docs/current/errcodes-appendix.html
  if (error.code === '23505') {
    const index = 'constraint' in error ? error.constraint : undefined
    return meanings.find((meaning) => meaning.index === index)?.code
  }
  if (error.code !== 'SQLITE_CONSTRAINT_UNIQUE') return undefined
  return meanings.find(({ column }) => error.message.endsWith(column))?.code
}

/** The database does not respond. Whether it executed the statement is not known. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
  constructor(cause: unknown) {
    super(`The database does not answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
