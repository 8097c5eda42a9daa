import { priceClasses, tokenClasses, toolClasses, type PriceClass } from '@tollgate/models'

import { decimal, digitsAt, product, rounded, shortest, type Decimal } from '../decimal'
import type { Amounts } from './amounts'
import type { FullPrices } from './class-prices'

/** What multiplies a price in US dollars to make it quota. */
export interface Rate {
  readonly quotaPerUnit: number
  /** Of the group, the modes and the schedule. */
  readonly factors: readonly number[]
}

/** What one of each class costs: `exact` divided by `scale`. */
export interface Weights {
  readonly exact: Readonly<Record<PriceClass, bigint>>
  readonly scale: bigint
  /** The same as plain numbers, where they are exact. */
  readonly fast: Readonly<Record<PriceClass, number>> | null
  readonly fastScale: number
  /** Nothing but tools costs anything. */
  readonly isFree: boolean
  /** Tokens cost something, so a call costs at least 1. */
  readonly hasLeast: boolean
}

/**
 * Returns what one of each class costs. Two US dollars for a million tokens are one quota a token whatever `quotaPerUnit` is, as
 * ratios always were; everything else follows `quotaPerUnit`.
 */
export function weightsOf(prices: FullPrices, { quotaPerUnit, factors }: Rate): Weights {
  const common = product(...factors.map(decimal))
  const unit = product(common, decimal(quotaPerUnit))
  const ofOne = (name: PriceClass): Decimal =>
    isOfTokens.has(name)
      ? product(prices[name], common, tokens)
      : product(prices[name], unit, scales.get(name) ?? decimal(1))
  const each = new Map(priceClasses.map((name) => [name, shortest(ofOne(name))]))
  const places = Math.max(...[...each.values()].map((weight) => weight.places))
  const exact = recordOf((name) => digitsAt(each.get(name) ?? decimal(0), places))
  const scale = 10n ** BigInt(places)
  const isSmall = [scale, ...Object.values(exact)].every((value) => value <= BigInt(Number.MAX_SAFE_INTEGER) / 2n)
  return {
    exact,
    scale,
    fast: isSmall ? recordOf((name) => Number(exact[name])) : null,
    fastScale: Number(scale),
    hasLeast: tokenClasses.some((name) => exact[name] > 0n),
    isFree: priceClasses.every((name) => exact[name] === 0n || isOfTools.has(name)),
  }
}

/** Returns what amounts cost, to the unit: computed exactly, rounded once, halves up, and at least 1 where tokens cost anything. */
export function quotaOf(weights: Weights, amounts: Amounts): number {
  const quota = fastQuota(weights, amounts) ?? exactQuota(weights, amounts)
  return quota === 0 && weights.hasLeast ? 1 : quota
}

/** By name, because looping over a list is slower. Null when a sum would leave the range where numbers are exact. */
function fastQuota({ fast, fastScale }: Weights, amounts: Amounts): number | null {
  if (fast === null) return null
  const sum =
    amounts.input * fast.input +
    amounts.output * fast.output +
    amounts.cache_read * fast.cache_read +
    amounts.cache_write_5m * fast.cache_write_5m +
    amounts.cache_write_1h * fast.cache_write_1h +
    amounts.image_in * fast.image_in +
    amounts.image_out * fast.image_out +
    amounts.audio_in * fast.audio_in +
    amounts.audio_out * fast.audio_out +
    amounts.reasoning * fast.reasoning +
    amounts.per_call * fast.per_call +
    amounts.per_second * fast.per_second +
    amounts.per_image * fast.per_image +
    amounts.per_character * fast.per_character +
    amounts.web_search * fast.web_search +
    amounts.file_search * fast.file_search +
    amounts.code_interpreter * fast.code_interpreter
  // No part is negative, so a sum within the range had all its parts in it. Seconds may be fractions.
  if (sum > Number.MAX_SAFE_INTEGER || !Number.isInteger(sum)) return null
  const rest = sum % fastScale
  const whole = (sum - rest) / fastScale
  return rest * 2 >= fastScale ? whole + 1 : whole
}

function exactQuota({ exact, scale }: Weights, amounts: Amounts): number {
  let sum = 0n
  for (const name of priceClasses) {
    if (amounts[name] === 0) continue
    sum += exact[name] * digitsAt(decimal(amounts[name]), amountPlaces)
  }
  const quota = rounded(sum, scale * 10n ** BigInt(amountPlaces))
  return quota > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(quota)
}

const amountPlaces = 12

function recordOf<Value>(of: (name: PriceClass) => Value): Record<PriceClass, Value> {
  return Object.fromEntries(priceClasses.map((name) => [name, of(name)])) as Record<PriceClass, Value>
}

/** Quota of a token at one US dollar for a million of them. */
const tokens = decimal(0.5)

/** What one of a class is of the unit that its price stands for, where that is not one. */
const scales: ReadonlyMap<PriceClass, Decimal> = new Map<PriceClass, Decimal>([
  ['per_character', decimal(0.000001)],
  ...toolClasses.map((name): [PriceClass, Decimal] => [name, decimal(0.001)]),
])

const isOfTokens: ReadonlySet<PriceClass> = new Set(tokenClasses)
const isOfTools: ReadonlySet<PriceClass> = new Set(toolClasses)
