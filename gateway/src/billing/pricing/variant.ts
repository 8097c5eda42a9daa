import {
  entryPrices,
  exact,
  fullPrices,
  tierOf,
  weightsOf,
  type EntryPrices,
  type FullPrices,
  type Weights,
} from '@tollgate/contract/price-formula'
import {
  modeFields,
  type ClassPrices,
  type ModeField,
  type PriceClass,
  type PriceEntry,
  type PriceMode,
  type PriceSchedule,
  type PriceTier,
} from '@tollgate/models'

import { distinctPrices, ratiosOf, type VariantRatios } from './price-view'

/** How a call is requested to be served or was served, in the vendor's terms. */
export type ServingMode = { readonly [Field in ModeField]?: string }

/** Nothing is requested or reported. */
export const standardMode: ServingMode = Object.freeze({})

/** The name of a response's mode at standard price. */
export const standardModeName = 'default'

/** What most responses report: the standard tier or speed. One object each, to be compared by identity. */
export const reportedStandardMode = {
  service_tier: Object.freeze({ service_tier: standardModeName }),
  speed: Object.freeze({ speed: standardModeName }),
} satisfies Readonly<Record<string, ServingMode>>

/** What a price is made of. */
export interface PriceFacts {
  /** The sale price of the model, before any group's ratio. */
  readonly entry: PriceEntry
  readonly groupRatio: number
  /** The ratio of the caller's own group for the group in use, where one is set; it replaces the group's. */
  readonly userGroupRatio: number | null
  readonly quotaPerUnit: number
  /** The factor for calls with their client's own login; absent: the call has none. */
  readonly ownLoginFactor?: number | undefined
  /** No price was known and the caller agreed to pay the ceiling. */
  readonly assumed: boolean
  /** Returns the factor of a service tier or speed that the entry has no mode for; null where it is not sold. */
  readonly modeRatio: (serviceTier: string) => number | null
}

/** Returns the group's factor on everything a call costs. */
export const groupFactor = ({
  groupRatio,
  userGroupRatio,
}: Pick<PriceFacts, 'groupRatio' | 'userGroupRatio'>): number => userGroupRatio ?? groupRatio

/** The tier, modes and schedule that apply. */
interface Selection {
  readonly tier: PriceTier | null
  readonly modes: readonly PriceMode[]
  readonly inputTokens: number
  readonly schedule: PriceSchedule | null
}

/** What a call costs under one tier, mode and schedule, with their names for the log row. */
export class Variant {
  readonly prices: FullPrices
  readonly weights: Weights
  readonly highestPriced: HighestPriced
  /** The product of the modes. */
  readonly modeFactors: readonly number[]
  /** The factor of the schedule; 1 where none applies. */
  readonly scheduleFactor: number
  /** The input tokens above which the tier applies; null below all tiers. */
  readonly tier: number | null
  /** Several at once are joined by `+`. */
  readonly mode: string | null
  readonly schedule: string | null

  /** Its ratios are kept; null where a tier or mode has prices of its own. */
  readonly #baseEntry: PriceEntry | null
  #ratios: VariantRatios | null = null
  #distinctPrices: ClassPrices | null = null

  constructor(price: PriceFacts, { tier, modes, inputTokens, schedule }: Selection) {
    const { entry, quotaPerUnit } = price
    let set: EntryPrices = { ...entryPrices(entry), ...(tier && exact(tier.prices)) }
    for (const { prices, tiers } of modes) {
      const ofMode = tierOf(tiers, inputTokens)
      set = { ...set, ...(prices && exact(prices)), ...(ofMode && exact(ofMode.prices)) }
    }
    this.prices = fullPrices(set)
    this.modeFactors = modes.map(({ factor = 1 }) => factor).filter((factor) => factor !== 1)
    this.scheduleFactor = schedule?.factor ?? 1
    const factors = [groupFactor(price), ...this.modeFactors, this.scheduleFactor, price.ownLoginFactor ?? 1]
    this.weights = weightsOf(this.prices, { quotaPerUnit, factors })
    this.highestPriced = highestPricedOf(this.weights)
    this.tier = tier?.above ?? null
    this.mode = modes.length === 0 ? null : modes.map(({ name }) => name).join('+')
    this.schedule = schedule?.name ?? null
    this.#baseEntry = tier === null && modes.length === 0 ? entry : null
  }

  /** The ratios before modes and schedules, as log rows keep them. Computed for the first row. */
  get ratios(): VariantRatios {
    return (this.#ratios ??= ratiosOf(this.prices, this.#baseEntry))
  }

  /** The prices in dollars that do not follow from others, as log rows keep them. Computed for the first row. */
  get distinctPrices(): ClassPrices {
    return (this.#distinctPrices ??= distinctPrices(this.prices))
  }
}

/** The most expensive classes of those in which the tokens of a prompt or a response may be counted. */
export interface HighestPriced {
  /** The class of a prompt that marks nothing for a cache, marks it for five minutes, or for an hour. */
  readonly prompt: PriceClass
  readonly prompt5m: PriceClass
  readonly prompt1h: PriceClass
  /** The class of a response in writing and images; of one that may be spoken. */
  readonly output: PriceClass
  readonly spokenOutput: PriceClass
}

const promptClasses = ['input', 'cache_read', 'cache_read_audio'] as const
const outputClasses = ['output', 'image_out', 'reasoning'] as const

/** Returns the most expensive classes at these weights; of equal ones the first. */
function highestPricedOf({ exact: weights }: Pick<Weights, 'exact'>): HighestPriced {
  const among = (names: readonly PriceClass[]): PriceClass =>
    names.reduce((highest, name) => (weights[name] > weights[highest] ? name : highest))
  return {
    prompt: among(promptClasses),
    prompt5m: among([...promptClasses, 'cache_write_5m']),
    prompt1h: among([...promptClasses, 'cache_write_5m', 'cache_write_1h']),
    output: among(outputClasses),
    spokenOutput: among([...outputClasses, 'audio_out']),
  }
}

/** No mode applies. */
export const noModes: readonly PriceMode[] = []

/** The fields for which an option has factors for all models. */
const optionFields = ['service_tier', 'speed'] as const

/** In order, none of which looks at a field that one before it matched; then those that only the option knows. */
export function matchingModes({ entry, modeRatio }: PriceFacts, served: ServingMode): readonly PriceMode[] {
  const matched = new Set<ModeField>()
  const found: PriceMode[] = []
  for (const mode of entry.modes ?? noModes) {
    const fields = modeFields.filter((field) => mode.match[field] !== undefined)
    if (fields.some((field) => matched.has(field) || mode.match[field] !== served[field])) continue
    for (const field of fields) matched.add(field)
    found.push(mode)
  }
  for (const field of optionFields) {
    const name = served[field]
    if (name === undefined || matched.has(field)) continue
    const factor = modeRatio(name)
    if (factor !== null && factor !== 1) found.push({ name, match: { [field]: name }, factor })
  }
  return found
}
