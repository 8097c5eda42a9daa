/** Prices other than those of plain tokens: typed in dollars per million tokens, stored as ratios of another price. */
export const priceParts = ['cacheRead', 'cacheWrite', 'image', 'audioInput', 'audioOutput'] as const
export type PricePart = (typeof priceParts)[number]

/** The ratios in force; undefined where none is known. */
export type PartRatios = Readonly<Partial<Record<PricePart, number>>>

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
