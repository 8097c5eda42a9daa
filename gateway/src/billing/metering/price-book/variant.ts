import {
  exact,
  fullPrices,
  tierOf,
  entryPrices,
  weightsOf,
  type FullPrices,
  type EntryPrices,
  type Weights,
} from '@tollgate/contract/price-formula'
import { modeFields, type ModeField, type PriceMode, type PriceSchedule, type PriceTier } from '@tollgate/models'

import { groupFactor, type Price } from './price'
import { dearestOf, type Dearest } from './dearest'

/** How a call is requested to be served or was served, in the vendor's terms. */
export type ServedBy = { readonly [Field in ModeField]?: string }

/** Nothing is reported. */
export const asUsual: ServedBy = Object.freeze({})

/** The name of a response's mode at standard price. */
export const usualMode = 'default'

/** What most responses report: the standard tier or speed. One object each, to be compared by identity. */
export const reportedUsual = {
  service_tier: Object.freeze({ service_tier: usualMode }),
  speed: Object.freeze({ speed: usualMode }),
} satisfies Readonly<Record<string, ServedBy>>

/** What a call costs under one tier, mode and schedule, with their names for the log row. */
export interface Variant {
  readonly prices: FullPrices
  readonly weights: Weights
  readonly dearest: Dearest
  /** The product of the modes. */
  readonly modeFactors: readonly number[]
  /** The factor of the schedule; 1 where none applies. */
  readonly scheduleFactor: number
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

/** The variants of a price that were needed so far. */
interface Made {
  plain: Variant | null
  readonly others: Map<string, Variant>
  /** Whether a response that reports the standard tier or speed is charged as one that reports nothing; null: not computed yet. */
  isUsualPlain: boolean | null
}

const made = new WeakMap<Price, Made>()

function madeOf(price: Price): Made {
  let known = made.get(price)
  if (!known) made.set(price, (known = { plain: null, others: new Map(), isUsualPlain: null }))
  return known
}

/** Returns whether a response is charged as one that does not report how it was served, as most are. */
export function isServedAsUsual(price: Price, served: ServedBy): boolean {
  if (served === asUsual) return true
  if (served !== reportedUsual.service_tier && served !== reportedUsual.speed) return false
  const known = madeOf(price)
  return (known.isUsualPlain ??= Object.values(reportedUsual).every((usual) => matching(price, usual).length === 0))
}

/** Returns what a call is charged by. The same object for the same tier, mode and schedule, so that its weights are computed once. */
export function variantOf(price: Price, { inputTokens, served, schedule }: VariantOf): Variant {
  const known = madeOf(price)
  const { tiers } = price.entry
  const tier = tiers === undefined || tiers.length === 0 ? null : tierOf(tiers, inputTokens)
  const modes = served === asUsual ? none : matching(price, served)
  if (tier === null && modes.length === 0 && schedule === null)
    return (known.plain ??= make(price, { tier, modes, inputTokens, schedule }))
  const place = schedule === null ? '' : price.entry.schedules?.indexOf(schedule)
  const ofModes = modes.map((mode) => [mode.name, mode.factor, tierOf(mode.tiers, inputTokens)?.above])
  const key = `${tier?.above ?? ''}\n${place}\n${ofModes.length > 0 ? JSON.stringify(ofModes) : ''}`
  let variant = known.others.get(key)
  if (!variant) known.others.set(key, (variant = make(price, { tier, modes, inputTokens, schedule })))
  return variant
}

interface Parts {
  readonly tier: PriceTier | null
  readonly modes: readonly PriceMode[]
  readonly inputTokens: number
  readonly schedule: PriceSchedule | null
}

function make(price: Price, { tier, modes, inputTokens, schedule }: Parts): Variant {
  const { entry, quotaPerUnit } = price
  let told: EntryPrices = { ...entryPrices(entry), ...(tier && exact(tier.prices)) }
  for (const { prices, tiers } of modes) {
    const ofMode = tierOf(tiers, inputTokens)
    told = { ...told, ...(prices && exact(prices)), ...(ofMode && exact(ofMode.prices)) }
  }
  const prices = fullPrices(told)
  const modeFactors = modes.map(({ factor = 1 }) => factor).filter((factor) => factor !== 1)
  const scheduleFactor = schedule?.factor ?? 1
  const factors = [groupFactor(price), ...modeFactors, scheduleFactor]
  const weights = weightsOf(prices, { quotaPerUnit, factors })
  return {
    prices,
    weights,
    dearest: dearestOf(weights),
    modeFactors,
    scheduleFactor,
    tier: tier?.above ?? null,
    mode: modes.length === 0 ? null : modes.map(({ name }) => name).join('+'),
    schedule: schedule?.name ?? null,
  }
}

const none: readonly PriceMode[] = []

/** The fields for which an option has factors for all models. */
const optionFields = ['service_tier', 'speed'] as const

/** In order, none of which looks at a field that one before it matched; then those that only the option knows. */
function matching(price: Price, served: ServedBy): readonly PriceMode[] {
  const matched = new Set<ModeField>()
  const found: PriceMode[] = []
  for (const mode of price.entry.modes ?? none) {
    const fields = modeFields.filter((field) => mode.match[field] !== undefined)
    if (fields.some((field) => matched.has(field) || mode.match[field] !== served[field])) continue
    for (const field of fields) matched.add(field)
    found.push(mode)
  }
  for (const field of optionFields) {
    const name = served[field]
    if (name === undefined || matched.has(field)) continue
    const factor = price.modeRatio(name)
    if (factor !== null && factor !== 1) found.push({ name, match: { [field]: name }, factor })
  }
  return found
}

/** Returns whether a price has a mode for this way of being served. */
export const knowsMode = ({ entry, modeRatio }: Price, field: ModeField, name: string): boolean =>
  (entry.modes ?? none).some(({ match }) => match[field] === name) ||
  ((field === 'service_tier' || field === 'speed') && modeRatio(name) !== null)
