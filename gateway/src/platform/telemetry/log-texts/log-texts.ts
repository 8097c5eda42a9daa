/** The conversation of one call. */
export interface CallTexts {
  readonly requestId: string
  /** Time of the call's log row, in seconds. */
  readonly createdAt: number
  /** Everything before the last text of the prompt. */
  readonly context: string
  readonly input: string
  readonly output: string
}

/**
 * The queue of conversations for the database, for sites that log them. They are apart from the charges, which are never dropped: a full
 * disk, a slow database or a crash costs texts and no money.
 */
export interface LogTexts {
  /** Takes the texts of a charged call. Never blocks and never fails the caller. */
  add(texts: CallTexts): void
  /** The queue in memory. */
  readonly queued: { readonly entries: number; readonly bytes: number }
  /** Writes the queue, as far as possible in the given time. Afterwards nothing is accepted. */
  close(): Promise<void>
}
