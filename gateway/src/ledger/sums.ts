import type { ChargeRecord } from './charge-record'

/** Cost, calls and the time of the last call of each id that is not 0, by rising id. */
export function sumsBy(
  records: readonly ChargeRecord[],
  idOf: (record: ChargeRecord) => number,
): (readonly [id: number, cost: number, calls: number, lastAt: number])[] {
  const sums = new Map<number, [number, number, number, number]>()
  for (const record of records) {
    const id = idOf(record)
    if (id === 0) continue
    const sum = sums.get(id)
    if (sum) {
      sum[1] += record.cost
      sum[2] += 1
      sum[3] = Math.max(sum[3], record.entry.createdAt)
    } else sums.set(id, [id, record.cost, 1, record.entry.createdAt])
  }
  return [...sums.values()].sort(([a], [b]) => a - b)
}
