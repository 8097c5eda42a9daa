import { decimal, product, divideRounded } from '@tollgate/contract/price-formula'
import type { OptionValues } from '@tollgate/contract'

import { chargeableStep, decimalsOf } from './currency'
import type { PaymentMethod } from './provider'

type Money = Pick<
  OptionValues,
  'AmountDiscount' | 'AmountOptions' | 'DisplayInCurrencyEnabled' | 'QuotaPerUnit' | 'TopupGroupRatio'
>

/** Returns the factor on prices for users of a group; 1 without an entry, and for 0. */
export const groupRatio = ({ TopupGroupRatio: ratios }: Money, group: string): number => ratios[group] || 1

/** Returns the quota of one unit of `amount`: users count in dollars where the site shows them, otherwise in quota. */
const quotaOfOne = (options: Money): number => (options.DisplayInCurrencyEnabled ? options.QuotaPerUnit : 1)

/** Returns the quota that an amount credits. */
export const quotaOf = (amount: number, options: Money): number => Math.round(amount * quotaOfOne(options))

/** Returns the amount that stands for some quota; it may have decimals. */
export const unitsOf = (quota: number, options: Money): number => quota / quotaOfOne(options)

/** Converts dollars to an amount as users enter it. */
export const amountOf = (dollars: number, options: Money): number =>
  options.DisplayInCurrencyEnabled ? dollars : Math.round(dollars * options.QuotaPerUnit)

/** Returns the factors on the price by the amount that users enter. */
export const discounts = (options: Money): ReadonlyMap<number, number> =>
  new Map(
    Object.entries(options.AmountDiscount).map(([dollars, factor]) => [amountOf(Number(dollars), options), factor]),
  )

/**
 * Returns what an amount costs, exactly, in the smallest unit of the method's currency, halves up: dollars by the price of a dollar, the
 * ratio of the group and the discount for exactly this amount; rounded up to what can be charged in the currency.
 */
export function priceOf(
  amount: number,
  { currency, price }: Pick<PaymentMethod, 'currency' | 'price'>,
  options: Money,
  group: string,
): number {
  const factors = [price, groupRatio(options, group), discounts(options).get(amount) ?? 1]
  const exact = product(decimal(amount), ...factors.map(decimal))
  const divisor = decimal(options.DisplayInCurrencyEnabled ? 1 : options.QuotaPerUnit)
  const scaled = exact.digits * 10n ** BigInt(decimalsOf(currency) + divisor.places)
  const step = chargeableStep(currency)
  return Math.ceil(Number(divideRounded(scaled, divisor.digits * 10n ** BigInt(exact.places))) / step) * step
}
