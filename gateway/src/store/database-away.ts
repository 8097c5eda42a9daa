/** The database does not answer. Whether it did what it was asked to do is not known. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'
  constructor(cause: unknown) {
    super(`The database does not answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
