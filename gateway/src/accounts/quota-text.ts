import type { OptionValues } from '@tollgate/contract'

/** Quota in words for a log row: dollars with six decimals, or points where the site shows no currency. */
export function quotaText(
  quota: number,
  options: Pick<OptionValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>,
): string {
  if (!options.DisplayInCurrencyEnabled) return `${quota} 点额度`
  return `＄${(quota / options.QuotaPerUnit).toFixed(6)} 额度`
}
