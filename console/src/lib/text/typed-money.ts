/** Returns quota as dollars without a sign for the currency, as a field shows it. */
export const typedDollars = (quota: number, quotaPerDollar: number): string =>
  String(Number((quota / quotaPerDollar).toFixed(6)))

/** Returns typed dollars in whole units of quota. */
export const quotaOfTyped = (dollars: number | string, quotaPerDollar: number): number =>
  Math.round(Number(dollars) * quotaPerDollar)

/** Whether something is typed, and is a number. */
export const isTypedAmount = (value: number | string): boolean =>
  String(value).trim() !== '' && Number.isFinite(Number(value))
