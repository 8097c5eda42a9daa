export type Check =
  | 'user-balance'
  | 'user-holds'
  | 'user-used-quota'
  | 'user-request-count'
  | 'user-earned'
  | 'user-purse'
  | 'invitee-credit'
  | 'code-uses'
  | 'code-credit'
  | 'order-credit'
  | 'top-up-credit'
  | 'order-documents'
  | 'document-number'
  | 'credit-cause'
  | 'token-balance'
  | 'token-used-quota'
  | 'log-quota'
  | 'log-rows'
  | 'channel-used-quota'
  | 'hour-quota'
  | 'hour-count'
  | 'column-hour'
  | 'column-day'
  | 'measure-calls'
  | 'measure-tokens'
  | 'measure-times'
  | 'measure-errors'

/** Two figures that should be equal. */
export interface Difference {
  readonly check: Check
  /** The user, key, channel, order or document; in a rollup its user; in the sums by column the number of the column. */
  readonly id: number
  /** The request or the credit, where it is one. */
  readonly name?: string
  /** For a rollup: where its hour begins, and the channel. */
  readonly hour?: number
  readonly channelId?: number
  readonly found: number
  readonly expected: number
}

/** A check stops after this many: a log that is gone as a whole would fill the memory. */
export const maxDifferences = 1000
