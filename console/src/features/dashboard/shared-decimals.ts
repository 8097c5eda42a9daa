import { useSite } from '../../lib/api/status'
import { formatDecimal, neededDecimals } from '../../lib/text/format'

/** Returns a function that finds the decimals of a column of these quotas, as `money` takes them. */
export function useSharedDecimals(): (quotas: readonly number[]) => number {
  const { quota_per_unit: quotaPerUnit } = useSite()
  return (quotas) => sharedDecimals(quotas.map((quota) => quota / quotaPerUnit))
}

/** Returns the decimals of a column of dollars: what its amounts need, but no more than the largest of them has. At least two. */
export function sharedDecimals(dollars: readonly number[]): number {
  const maxDecimals = neededDecimals(Math.max(0, ...dollars.map(Math.abs)))
  return Math.max(2, ...dollars.map((amount) => formatDecimal(amount, maxDecimals).split('.')[1]?.length ?? 0))
}
