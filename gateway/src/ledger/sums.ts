import type { ChargeRecord } from './charge-record'

/** Cost and calls of each id that is not 0, by rising id. */
export function sumsBy(
  records: readonly ChargeRecord[],
  idOf: (record: ChargeRecord) => number,
): (readonly [id: number, cost: number, calls: number])[] {
  const sums = new Map<number, [number, number, number]>()
  for (const record of records) {
    const id = idOf(record)
    if (id === 0) continue
    const sum = sums.get(id)
    if (sum) {
      sum[1] += record.cost
      sum[2] += 1
    } else sums.set(id, [id, record.cost, 1])
  }
  return [...sums.values()].sort(([a], [b]) => a - b)
}
