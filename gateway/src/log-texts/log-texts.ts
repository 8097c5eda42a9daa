/** What was said in one call. */
export interface CallTexts {
  readonly requestId: string
  /** Of the call's log row, in seconds. */
  readonly createdAt: number
  /** All that was asked before the last text. */
  readonly context: string
  readonly input: string
  readonly output: string
}

/**
 * The texts of calls on their way into the database, for sites that log them. They are apart from the charges, which are
 * never dropped: a full disk, a slow database or a crash costs texts and no money.
 */
export interface LogTexts {
  /** Take the texts of a charged call. Never blocks and never fails the caller. */
  add(texts: CallTexts): void
  /** What waits, in memory. */
  readonly queued: { readonly entries: number; readonly bytes: number }
  /** Write what waits, as far as that goes in time. Afterwards nothing is taken. */
  close(): Promise<void>
}
