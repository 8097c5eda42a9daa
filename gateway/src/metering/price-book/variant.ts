import {
  modeFields,
  type ClassPrices,
  type ModeField,
  type PriceEntry,
  type PriceMode,
  type PriceSchedule,
  type PriceTier,
} from '@tollgate/models'

import { fullPrices, type FullPrices } from './class-prices'

/** What an answer says about how it was served, in the vendor's words. */
export type ServedBy = { readonly [Field in ModeField]?: string }

/** What a call costs under one tier, mode and schedule, with their names for the log row. */
export interface Variant {
  readonly prices: FullPrices
  /** On everything: of the modes and of the schedule. */
  readonly factors: readonly number[]
  /** The input tokens above which the tier applies; null below all tiers. */
  readonly tier: number | null
  /** Several at once are joined by `+`. */
  readonly mode: string | null
  readonly schedule: string | null
}

/** What decides between an entry's variants. */
export interface VariantOf {
  readonly inputTokens: number
  readonly served: ServedBy
  /** In force when the call began. */
  readonly schedule: PriceSchedule | null
}

/** Returns the prices that a call is charged by. */
export function variantOf(entry: PriceEntry, { inputTokens, served, schedule }: VariantOf): Variant {
  const tier = tierOf(entry.tiers, inputTokens)
  const modes = matching(entry.modes ?? [], served)
  let told: ClassPrices = { ...entry.prices, ...tier?.prices }
  for (const { prices, tiers } of modes) told = { ...told, ...prices, ...tierOf(tiers, inputTokens)?.prices }
  return {
    prices: fullPrices(told),
    factors: [...modes.map(({ factor = 1 }) => factor), schedule?.factor ?? 1].filter((factor) => factor !== 1),
    tier: tier?.above ?? null,
    mode: modes.length === 0 ? null : modes.map(({ name }) => name).join('+'),
    schedule: schedule?.name ?? null,
  }
}

/** The highest tier that the input exceeds. */
function tierOf(tiers: readonly PriceTier[] = [], inputTokens: number): PriceTier | null {
  let highest: PriceTier | null = null
  for (const tier of tiers)
    if (inputTokens > tier.above && (highest === null || tier.above > highest.above)) highest = tier
  return highest
}

/** In their order, none of which looks at a field that one before it matched. */
function matching(modes: readonly PriceMode[], served: ServedBy): readonly PriceMode[] {
  const matched = new Set<ModeField>()
  const found: PriceMode[] = []
  for (const mode of modes) {
    const fields = modeFields.filter((field) => mode.match[field] !== undefined)
    if (fields.some((field) => matched.has(field) || mode.match[field] !== served[field])) continue
    for (const field of fields) matched.add(field)
    found.push(mode)
  }
  return found
}
