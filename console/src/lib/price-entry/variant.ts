import type { ClassPrices, PriceClass, PriceEntry, PriceMode, PriceTier } from '@tollgate/contract'

import { scheduleAt } from './schedule'

/** Returns what a class costs: what is told, or what the gateway charges where it is not; undefined where that is nothing. */
export function priceOf(prices: ClassPrices, name: PriceClass): number | undefined {
  const told = prices[name]
  if (told !== undefined) return told
  const follows = followed[name]
  if (prices.per_call !== undefined || follows === undefined) return undefined
  const price = priceOf(prices, follows.class)
  return price === undefined ? undefined : price * follows.factor
}

/** The classes whose price follows from another's. */
const followed: { readonly [Class in PriceClass]?: { readonly class: PriceClass; readonly factor: number } } = {
  output: { class: 'input', factor: 1 },
  cache_read: { class: 'input', factor: 1 },
  cache_write_5m: { class: 'input', factor: 1.25 },
  cache_write_1h: { class: 'cache_write_5m', factor: 1.6 },
  image_in: { class: 'input', factor: 1 },
  image_out: { class: 'output', factor: 1 },
  audio_in: { class: 'input', factor: 1 },
  audio_out: { class: 'audio_in', factor: 1 },
  reasoning: { class: 'output', factor: 1 },
}

/** How a call is made, as far as its price depends on that. */
interface VariantOf {
  readonly inputTokens: number
  /** The name of a mode; one that the entry does not have changes nothing. */
  readonly mode?: string
  /** Unix milliseconds; without it no schedule applies. */
  readonly at?: number
}

export interface Variant {
  /** Told, not yet multiplied. */
  readonly prices: ClassPrices
  /** Of the mode and the schedule. */
  readonly factor: number
  readonly tier: PriceTier | undefined
  readonly mode: PriceMode | undefined
  readonly schedule: string | undefined
}

/** Returns the prices that such a call is charged by. */
export function variantOf(entry: PriceEntry, { inputTokens, mode: name, at }: VariantOf): Variant {
  const tier = tierOf(entry.tiers, inputTokens)
  const mode = name === undefined ? undefined : entry.modes?.find((one) => one.name === name)
  const schedule = at === undefined ? undefined : scheduleAt(entry.schedules ?? [], at)
  return {
    prices: { ...entry.prices, ...tier?.prices, ...mode?.prices, ...tierOf(mode?.tiers, inputTokens)?.prices },
    factor: (mode?.factor ?? 1) * (schedule?.factor ?? 1),
    tier,
    mode,
    schedule: schedule?.name,
  }
}

/** The highest tier that the input exceeds. */
const tierOf = (tiers: readonly PriceTier[] = [], inputTokens: number): PriceTier | undefined =>
  tiers.filter(({ above }) => inputTokens > above).toSorted((one, other) => other.above - one.above)[0]

/** Returns where the tiers of an entry and of one of its modes begin, the lowest first. */
export function tierBounds(entry: PriceEntry, mode?: PriceMode): number[] {
  const bounds = [...(entry.tiers ?? []), ...(mode?.tiers ?? [])].map(({ above }) => above)
  return [...new Set(bounds)].toSorted((one, other) => one - other)
}
