import type { OptionValues, Phrase } from '@tollgate/contract'

/** Returns a quota for a log row: dollars with six decimals, or points where the site shows no currency. */
export function quotaText(
  quota: number,
  options: Pick<OptionValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>,
): Phrase {
  if (!options.DisplayInCurrencyEnabled) return { code: 'log.quota_in_points', params: { amount: quota } }
  return { code: 'log.quota_in_currency', params: { amount: (quota / options.QuotaPerUnit).toFixed(6) } }
}

/** Returns a quota for a mail or a webhook, the same in every language: dollars, or points where the site shows no currency. */
export function shownQuota(
  quota: number,
  { DisplayInCurrencyEnabled: isMoney, QuotaPerUnit: perUnit }: OptionValues,
): string {
  if (!isMoney) return quota.toLocaleString('en-US')
  const dollars = quota / perUnit
  return `${dollars < 0 ? '-' : ''}$${Math.abs(dollars).toFixed(Math.abs(dollars) < 1 ? 4 : 2)}`
}
