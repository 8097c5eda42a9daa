import type { ChargeRecord } from './charge-record'
import type { LogEntry } from './ledger'

/** What the calls of an id add up to. */
export type Sum = readonly [id: number, cost: number, calls: number, last: LogEntry]

/** Cost, calls and the last call of each id that is not 0, by rising id. */
export function sumsBy(records: readonly ChargeRecord[], idOf: (record: ChargeRecord) => number): Sum[] {
  const sums = new Map<number, [number, number, number, LogEntry]>()
  for (const record of records) {
    const id = idOf(record)
    if (id === 0) continue
    const { cost, entry } = record
    const sum = sums.get(id)
    if (sum) {
      sum[1] += cost
      sum[2] += 1
      if (entry.createdAt >= sum[3].createdAt) sum[3] = entry
    } else sums.set(id, [id, cost, 1, entry])
  }
  return [...sums.values()].sort(([a], [b]) => a - b)
}
