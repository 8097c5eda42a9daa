import { isUnusual, usualDollars } from '../../lib/text/unusual'
import { useSite } from '../../lib/api/status'
import { useFormat } from '../../lib/text/use-format'
import type { UnusualAmount } from '../dialogs/use-second-look'

/** Returns a function that finds whether a typed quota is unusual; `before` is the amount that it replaces or is added to. */
export function useUnusualQuota(): (name: string, quota: number, before?: number) => readonly UnusualAmount[] {
  const { quota_per_unit: quotaPerDollar } = useSite()
  const { money } = useFormat()
  return (name, quota, before = 0) =>
    isUnusual(quota, before, usualDollars * quotaPerDollar) ? [{ name, amount: money(quota) }] : []
}
