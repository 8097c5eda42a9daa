import type { channelPriceRoutes } from '@tollgate/contract'

import { numberOf, priceText, ratioOver } from './price-conversion'
import type { PartRatios, PriceDraft, PricePart } from './price-fields'

/** The option that holds the factors. */
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

/** What stands in the field: what was typed, else the factor in force times the price it is a factor of. */
export function partText(draft: PriceDraft, part: PricePart): string {
  const typed = draft.typedParts[part]
  if (typed !== undefined) return typed
  const base = basePrice(draft, part)
  const ratio = draft.partRatios[part]
  return base === undefined || ratio === undefined ? '' : priceText(base * ratio)
}

/** The price that a part is a factor of. */
const basePrice = (draft: PriceDraft, part: PricePart): number | undefined =>
  numberOf(part === 'audioOutput' ? partText(draft, 'audioInput') : draft.input)

/** An emptied field gives the part back to the built-in factor. */
export const typedPart = (draft: PriceDraft, part: PricePart, text: string): PriceDraft => ({
  ...draft,
  typedParts: { ...draft.typedParts, [part]: text },
  isChanged: true,
  isReset: false,
})

/** The factor to store for a part that was typed; null: none, so that the built-in one counts. */
export function partRatio(draft: PriceDraft, part: PricePart): number | null {
  const price = numberOf(draft.typedParts[part] ?? '')
  const base = basePrice(draft, part)
  return price === undefined || base === undefined ? null : (ratioOver(price, base) ?? null)
}

/** Why a part cannot be stored. Without a price to be a factor of, it can only be nothing. */
export function partFault(draft: PriceDraft, part: PricePart): 'number' | 'noBase' | undefined {
  const text = draft.typedParts[part]?.trim()
  if (draft.kind === 'per-call' || !text) return undefined
  if (numberOf(text) === undefined) return 'number'
  return basePrice(draft, part) ? undefined : 'noBase'
}
