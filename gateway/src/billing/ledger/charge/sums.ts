import type { ChargeRecord } from './charge-record'
import type { LogEntry } from '../ledger'

/** What the calls of a user, a token or a channel add up to. */
export interface Sum {
  readonly id: number
  cost: number
  calls: number
  last: LogEntry
}

/** Cost, calls and the last call of each id that is not 0, by rising id. */
export function sumsBy(records: readonly ChargeRecord[], idOf: (record: ChargeRecord) => number): Sum[] {
  const sums = new Map<number, Sum>()
  for (const record of records) {
    const id = idOf(record)
    if (id === 0) continue
    const { cost, entry } = record
    const sum = sums.get(id)
    if (sum) {
      sum.cost += cost
      sum.calls += 1
      if (entry.createdAt >= sum.last.createdAt) sum.last = entry
    } else sums.set(id, { id, cost, calls: 1, last: entry })
  }
  return [...sums.values()].sort((a, b) => a.id - b.id)
}
