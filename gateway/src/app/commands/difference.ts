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
  | 'order-bonus'
  | 'commission-credit'
  | 'expiry-credit'
  | 'order-documents'
  | 'document-number'
  | 'credit-cause'
  | 'plan-paid'
  | 'plan-used'
  | 'batch-run'
  | 'batch-lines'
  | 'batch-done'
  | 'batch-charges'
  | 'file-bytes'
  | 'turn-bytes'
  | 'turn-items'
  | 'conversation-bytes'
  | 'conversation-items'
  | 'token-balance'
  | 'token-used-quota'
  | 'window-limit'
  | 'window-leased'
  | 'window-held'
  | 'log-quota'
  | 'log-rows'
  | 'hour-log-rows'
  | 'hour-log-quota'
  | 'channel-used-quota'
  | 'hour-quota'
  | 'hour-count'
  | 'column-hour'
  | 'column-day'
  | 'hour-cost'
  | 'column-costs'
  | 'key-hour'
  | 'key-day'
  | 'measure-calls'
  | 'measure-tokens'
  | 'measure-times'
  | 'measure-errors'

/** Two figures that should be equal. */
export interface Difference {
  readonly check: Check
  /** The user, key, channel, order, document, task, file or item of a conversation; in a rollup its user; in the sums by column the number of the column. */
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

const meanings: Record<Check, { of: string; what: string; instead: string }> = {
  'user-balance': { of: 'user', what: 'free + leased + held + used', instead: 'credited' },
  'user-holds': { of: 'user', what: 'holds', instead: 'tasks that have not ended' },
  'user-used-quota': { of: 'user', what: 'used quota', instead: 'in the hourly sums' },
  'user-request-count': { of: 'user', what: 'request count', instead: 'in the hourly sums' },
  'user-earned': { of: 'user', what: 'earned by invitations', instead: 'in rewarded invitations' },
  'user-purse': { of: 'user', what: 'invitation quota in the purse and moved to the balance', instead: 'earned' },
  'invitee-credit': { of: 'user', what: 'credited for being invited', instead: 'in rewarded invitations' },
  'code-uses': { of: 'redemption code', what: 'uses counted', instead: 'uses recorded' },
  'code-credit': { of: 'user', what: 'credited for codes', instead: 'in recorded uses' },
  'order-credit': { of: 'order', what: 'credited', instead: 'due by what was paid and paid back' },
  'top-up-credit': { of: 'user', what: 'credited for top-ups', instead: 'in orders' },
  'order-bonus': { of: 'order', what: 'credited as a bonus', instead: 'due by what was paid and paid back' },
  'commission-credit': { of: 'user', what: 'credited as commission', instead: 'in settled commissions' },
  'expiry-credit': { of: 'user', what: 'taken back of expired quota', instead: 'in ended redemptions' },
  'order-documents': { of: 'order', what: 'in its documents', instead: 'left of its payment' },
  'document-number': { of: 'document', what: 'issued', instead: 'next in the sequence' },
  'credit-cause': { of: 'user', what: 'credited', instead: 'accounted for by its cause' },
  'plan-paid': { of: 'user', what: 'paid for plans', instead: 'in subscriptions' },
  'plan-used': { of: 'user', what: 'credited for calls that plans paid for', instead: 'in subscriptions' },
  'batch-run': { of: 'task', what: 'batches that have not ended', instead: 'batches that are run' },
  'batch-lines': { of: 'task', what: 'calls of the batch', instead: 'lines' },
  'batch-done': { of: 'task', what: 'calls of the batch that succeeded', instead: 'lines with a response' },
  'batch-charges': { of: 'task', what: 'calls of the batch that succeeded', instead: 'charges' },
  'file-bytes': { of: 'file', what: 'bytes with what encrypts them', instead: 'in its pieces' },
  'turn-bytes': { of: 'user', what: 'bytes recorded of stored turns', instead: 'in their texts' },
  'turn-items': { of: 'user', what: 'items of stored turns', instead: 'in a turn' },
  'conversation-bytes': { of: 'user', what: 'bytes recorded of conversations', instead: 'in their texts' },
  'conversation-items': { of: 'conversation item', what: 'rows', instead: 'in a conversation' },
  'token-balance': { of: 'token', what: 'free + leased + held + used', instead: 'given' },
  'window-limit': { of: 'period', what: 'free + leased + held of its window', instead: 'at most' },
  'window-leased': { of: 'period', what: 'leased of a window', instead: 'in no period' },
  'window-held': { of: 'period', what: 'held of a window', instead: 'in no period' },
  'log-quota': { of: 'user', what: 'quota in the log', instead: 'charged' },
  'log-rows': { of: 'user', what: 'rows in the log', instead: 'charges' },
  'hour-log-rows': { of: 'log', what: 'rows in ClickHouse and waiting for it', instead: 'charges' },
  'hour-log-quota': { of: 'log', what: 'quota in ClickHouse and waiting for it', instead: 'charged' },
  'token-used-quota': { of: 'token', what: 'used quota', instead: 'charged' },
  'channel-used-quota': { of: 'channel', what: 'used quota', instead: 'in the hourly sums' },
  'hour-quota': { of: 'user', what: 'quota in the hourly sum', instead: 'charged' },
  'column-hour': { of: 'column', what: 'quota by the hour', instead: 'in the hourly sums' },
  'column-day': { of: 'column', what: 'quota by the day', instead: 'in the hourly sums' },
  'hour-cost': { of: 'channel', what: 'cost in the hourly sums', instead: 'in the log' },
  'column-costs': { of: 'column', what: 'figures of costs more', instead: 'expected' },
  'key-day': { of: 'channel', what: 'quota by upstream key and day', instead: 'by upstream key and hour' },
  'key-hour': { of: 'channel', what: 'quota by upstream key', instead: 'in the hourly sums' },
  'measure-calls': { of: 'measures', what: 'calls', instead: 'expected' },
  'measure-tokens': { of: 'measures', what: 'tokens', instead: 'expected' },
  'measure-times': { of: 'measures', what: 'calls in a bucket of times', instead: 'expected' },
  'measure-errors': { of: 'measures', what: 'failed attempts of a code', instead: 'expected' },
  'hour-count': { of: 'user', what: 'calls in the hourly sum', instead: 'charged' },
}

/** Returns a line for the operator: whose figures differ, and both. */
export function sentenceOf({ check, id, name, hour, channelId, found, expected }: Difference): string {
  const { of, what, instead } = meanings[check]
  const which = name === undefined ? '' : `, ${check === 'credit-cause' ? 'credit' : 'request'} ${name}`
  const where = channelId === undefined ? '' : `, channel ${channelId}`
  const when = hour === undefined ? '' : `${where}, hour ${new Date(hour * 1000).toISOString()}`
  return `${of} ${id}${which}${when}: ${what} ${found}, ${instead} ${expected}, difference ${found - expected}`
}
