/** Prices beside those of plain tokens: typed in dollars for a million tokens, stored as factors of another price. */
export const priceParts = ['cacheRead', 'cacheWrite', 'image', 'audioInput', 'audioOutput'] as const
export type PricePart = (typeof priceParts)[number]

/** The factors in force; undefined where none is known yet. */
export type PartRatios = Readonly<Partial<Record<PricePart, number>>>

export type PriceKind = 'per-token' | 'per-call'

/** What is typed: dollars for a million tokens, ratios, or dollars for a call. */
export type PriceField = 'input' | 'output' | 'ratio' | 'completion' | 'fixed'

/** A model's price while it is edited; all figures are texts as they stand in their fields. */
export interface PriceDraft extends Readonly<Record<PriceField, string>> {
  readonly model: string
  readonly kind: PriceKind
  /** The figures were given as prices, so a price of nothing is a mistake. */
  readonly isByPrice: boolean
  readonly isChanged: boolean
  /** More than its parts was changed: price, ratios or the way of billing. */
  readonly isBaseChanged: boolean
  readonly partRatios: PartRatios
  readonly typedParts: Readonly<Partial<Record<PricePart, string>>>
  /** The operator's own price goes, so that the built-in one counts again; what the fields hold does not. */
  readonly isReset: boolean
}
