import type { channelPriceRoutes } from '@tollgate/contract'

import { numberOf, priceText, ratioOver } from './price-conversion'

/** Prices other than those of plain tokens: typed in dollars per million tokens, stored as ratios of another price. */
export const priceParts = ['cacheRead', 'cacheWrite', 'image', 'audioInput', 'audioOutput'] as const
export type PricePart = (typeof priceParts)[number]

/** The ratios in force; undefined where none is known. */
type PartRatios = Readonly<Partial<Record<PricePart, number>>>

export type PriceKind = 'per-token' | 'per-call'

/** What is typed: dollars per million tokens, ratios, or dollars per call. */
export type PriceField = 'input' | 'output' | 'ratio' | 'completion' | 'fixed'

/** A model's price while edited; all values are the texts of their fields. */
export interface PriceDraft extends Readonly<Record<PriceField, string>> {
  readonly model: string
  readonly kind: PriceKind
  /** The values were typed as prices, so a price of 0 is a mistake. */
  readonly isByPrice: boolean
  readonly isChanged: boolean
  /** More than the part prices changed: price, ratios or billing mode. */
  readonly isBaseChanged: boolean
  readonly partRatios: PartRatios
  readonly typedParts: Readonly<Partial<Record<PricePart, string>>>
  /** Removes the operator's price, so that the built-in one applies; the values in the fields are ignored. */
  readonly isReset: boolean
}

/** The option that stores the ratios. */
export const partTables = {
  cacheRead: 'CacheRatio',
  cacheWrite: 'CreateCacheRatio',
  image: 'ImageRatio',
  audioInput: 'AudioRatio',
  audioOutput: 'AudioCompletionRatio',
} as const satisfies Record<PricePart, string>

export const partRatiosOf = (parts: channelPriceRoutes.ModelPrice['parts']): PartRatios =>
  parts
    ? {
        cacheRead: parts.cache_read,
        cacheWrite: parts.cache_write,
        image: parts.image,
        audioInput: parts.audio_input,
        audioOutput: parts.audio_output,
      }
    : {}

/** Returns the text of the field: what was typed, or else the ratio in force times its base price. */
export function partText(draft: PriceDraft, part: PricePart): string {
  const typed = draft.typedParts[part]
  if (typed !== undefined) return typed
  const base = basePrice(draft, part)
  const ratio = draft.partRatios[part]
  return base === undefined || ratio === undefined ? '' : priceText(base * ratio)
}

/** Returns the base price of a part. */
const basePrice = (draft: PriceDraft, part: PricePart): number | undefined =>
  numberOf(part === 'audioOutput' ? partText(draft, 'audioInput') : draft.input)

/** A cleared field restores the built-in ratio of the part. */
export const typedPart = (draft: PriceDraft, part: PricePart, text: string): PriceDraft => ({
  ...draft,
  typedParts: { ...draft.typedParts, [part]: text },
  isChanged: true,
  isReset: false,
})

/** Returns the ratio to store for a typed part; null restores the built-in one. */
export function partRatio(draft: PriceDraft, part: PricePart): number | null {
  const price = numberOf(draft.typedParts[part] ?? '')
  const base = basePrice(draft, part)
  return price === undefined || base === undefined ? null : (ratioOver(price, base) ?? null)
}

/** Returns why a part cannot be stored. Without a base price it can only be 0. */
export function partFault(draft: PriceDraft, part: PricePart): 'number' | 'noBase' | undefined {
  const text = draft.typedParts[part]?.trim()
  if (draft.kind === 'per-call' || !text) return undefined
  if (numberOf(text) === undefined) return 'number'
  return basePrice(draft, part) ? undefined : 'noBase'
}
