import { useSite } from '../../lib/api/status'
import { formatDecimal, formatFixedDollars, neededDecimals } from '../../lib/text/format'
import { useFormat } from '../../lib/text/use-format'

/** Returns a function that gives the formatter of a column of these quotas: with the same decimals, so that they line up. */
export function useColumnMoney(): (quotas: readonly number[]) => (quota: number) => string {
  const { money, language } = useFormat()
  const { quota_per_unit: quotaPerUnit, display_in_currency: isCurrency } = useSite()
  return (quotas) => {
    const decimals = sharedDecimals(quotas.map((quota) => quota / quotaPerUnit))
    return (quota) => {
      const dollars = quota / quotaPerUnit
      // What would be shown as zero keeps the decimals that it needs.
      const isLost = dollars !== 0 && Math.abs(dollars) < 0.5 * 10 ** -decimals
      return isCurrency && !isLost ? formatFixedDollars(dollars, decimals, language) : money(quota)
    }
  }
}

/** Returns the decimals of a column of dollars: what its amounts need, but no more than the largest of them has. At least two. */
export function sharedDecimals(dollars: readonly number[]): number {
  const maxDecimals = neededDecimals(Math.max(0, ...dollars.map(Math.abs)))
  return Math.max(2, ...dollars.map((amount) => formatDecimal(amount, maxDecimals).split('.')[1]?.length ?? 0))
}
