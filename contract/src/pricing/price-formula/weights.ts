import { priceClasses, tokenClasses, toolClasses, type PriceClass } from '../price-classes'
import { byClass, type FullPrices } from './class-prices'
import { decimal, digitsAt, product, divideRounded, trimZeros, type Decimal } from './decimal'

/** How much of each class a call used: tokens, calls, seconds, images, characters. */
export type Amounts = Readonly<Record<PriceClass, number>>

/** Converts a price in US dollars into quota. */
export interface Rate {
  readonly quotaPerUnit: number
  /** The factors of the group, the modes and the schedule. */
  readonly factors: readonly number[]
}

/** What one unit of each class costs in quota: `exact` divided by `scale`. Computed once for many calls. */
export interface Weights {
  readonly exact: Readonly<Record<PriceClass, bigint>>
  readonly scale: bigint
  /** The classes that cost anything. */
  readonly charged: readonly { readonly name: PriceClass; readonly weight: bigint; readonly plainWeight: number }[]
  readonly plainScale: number
  /** Nothing except tools costs anything. */
  readonly isFree: boolean
  /** Tokens cost something, so a call costs at least 1. */
  readonly hasMinimum: boolean
}

/**
 * Returns what one unit of each class costs. Two US dollars per million tokens are one quota per token whatever `quotaPerUnit` is, as
 * ratios always were; everything else follows `quotaPerUnit`.
 */
export function weightsOf(prices: FullPrices, { quotaPerUnit, factors }: Rate): Weights {
  const common = product(...factors.map(decimal))
  const ofTokens = product(common, quotaOfTokenDollar)
  const ofOthers = product(common, decimal(quotaPerUnit))
  const each = byClass((name) =>
    trimZeros(product(prices[name], shareOf(name), isOfTokens.has(name) ? ofTokens : ofOthers)),
  )
  const places = Math.max(...priceClasses.map((name) => each[name].places))
  const weights = byClass((name) => digitsAt(each[name], places))
  const charged = priceClasses.flatMap((name) => {
    const weight = weights[name]
    return weight > 0n ? { name, weight, plainWeight: Number(weight) } : []
  })
  return {
    exact: weights,
    scale: 10n ** BigInt(places),
    plainScale: 10 ** places,
    charged,
    hasMinimum: tokenClasses.some((name) => weights[name] > 0n),
    isFree: priceClasses.every((name) => weights[name] === 0n || isOfTools.has(name)),
  }
}

/** Returns what amounts cost: computed exactly, rounded once, halves up, and at least 1 where tokens cost anything. */
export function quotaOf(weights: Weights, amounts: Amounts): number {
  const quota = plainQuotaOf(weights, amounts) ?? exactQuotaOf(weights, amounts)
  return quota === 0 && weights.hasMinimum ? 1 : quota
}

/** The same by plain numbers, as long as these are exact: it takes an eighth of the time, and a call asks some four times. */
function plainQuotaOf({ charged, plainScale }: Weights, amounts: Amounts): number | null {
  let sum = 0
  for (const { name, plainWeight } of charged) {
    const amount = amounts[name]
    if (!Number.isInteger(amount)) return null
    sum += plainWeight * amount
  }
  if (sum < 0 || sum > maxPlain || plainScale > maxPlain) return null
  const rest = sum % plainScale
  return (sum - rest) / plainScale + (2 * rest >= plainScale ? 1 : 0)
}

/** What is larger may not be exact, twice it included. */
const maxPlain = 2 ** 52

function exactQuotaOf({ charged, scale }: Weights, amounts: Amounts): number {
  let sum = 0n
  let sumOfFractions = 0n
  for (const { name, weight } of charged) {
    const amount = amounts[name]
    if (amount === 0) continue
    if (Number.isSafeInteger(amount)) sum += weight * BigInt(amount)
    else sumOfFractions += weight * digitsAt(decimal(amount), fractionPlaces)
  }
  const quota =
    sumOfFractions === 0n
      ? divideRounded(sum, scale)
      : divideRounded(sum * fractionScale + sumOfFractions, scale * fractionScale)
  return quota > maxQuota ? Number.MAX_SAFE_INTEGER : Number(quota)
}

/** Seconds may be fractions. */
const fractionPlaces = 12
const fractionScale = 10n ** BigInt(fractionPlaces)
const maxQuota = BigInt(Number.MAX_SAFE_INTEGER)

/** Quota of one US dollar spent on tokens. */
const quotaOfTokenDollar = decimal(500_000)

/** Returns the part of the price of a class that one token, call, second, image or character costs. */
export function shareOf(name: PriceClass): Decimal {
  if (isOfTokens.has(name) || name === 'per_character') return ofMillion
  return isOfTools.has(name) ? ofThousand : ofOne
}

const ofMillion = decimal(0.000001)
const ofThousand = decimal(0.001)
const ofOne = decimal(1)

const isOfTokens: ReadonlySet<PriceClass> = new Set(tokenClasses)
const isOfTools: ReadonlySet<PriceClass> = new Set(toolClasses)
