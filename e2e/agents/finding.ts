/** What was found, with the reason for each aspect that failed. */
export interface Finding {
  /** One letter each, as the table has them. */
  readonly passed: readonly string[]
  readonly problems: readonly string[]
}
