import type { OptionValues } from '@tollgate/contract'

/** Returns a quota for a mail or a webhook, the same in every language: dollars, or points where the site shows no currency. */
export function shownQuota(
  quota: number,
  { DisplayInCurrencyEnabled: isMoney, QuotaPerUnit: perUnit }: OptionValues,
): string {
  if (!isMoney) return quota.toLocaleString('en-US')
  const dollars = quota / perUnit
  return `${dollars < 0 ? '-' : ''}$${Math.abs(dollars).toFixed(Math.abs(dollars) < 1 ? 4 : 2)}`
}
