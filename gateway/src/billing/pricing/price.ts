import { scheduleAt, tierOf } from '@tollgate/contract/price-formula'
import { plainUse, type PossibleUse } from '@tollgate/dialects'
import type { ModeField, PriceEntry, PriceMode, PriceSchedule } from '@tollgate/models'

import type { MediaTokens } from '../metering/media/media-tokens'
import { noUnits, type Units } from './amounts'
import {
  matchingModes,
  noModes,
  reportedStandardMode,
  standardMode,
  Variant,
  type PriceFacts,
  type ServingMode,
} from './variant'

/** What decides the cost of a response: a price as it is in force for one call. */
export interface CallTerms {
  readonly price: Price
  /** In force when the call began. */
  readonly schedule: PriceSchedule | null
  /** What the caller requests of what the site sells. */
  readonly requested: ServingMode
  /** The images and characters of the request, where the price counts them. */
  readonly units: Units
  /** Something was delivered, though the usage may not show it: a finished task. */
  readonly isDelivered?: boolean
}

/** A price that is in force for one call, whatever changes meanwhile. */
export interface PinnedPrice extends CallTerms {
  /** Use besides text that the request may cause: the hold covers it. */
  readonly possible: PossibleUse
  /** Images and recordings of the prompt; null where it has none. */
  readonly media: PossibleMedia | null
}

/** The most tokens that the media of a prompt may have, and how many of them its estimate counts already. */
export interface PossibleMedia extends MediaTokens {
  readonly counted: number
}

/** What is particular about a call. */
export interface CallParticulars {
  /** When it began. */
  readonly unixMs: number
  readonly requested?: ServingMode
  readonly units?: Units
  readonly possible?: PossibleUse
  readonly media?: PossibleMedia | null
}

/** What decides between the variants of a price. */
interface VariantQuery {
  readonly inputTokens: number
  readonly served: ServingMode
  /** In force when the call began. */
  readonly schedule: PriceSchedule | null
}

/** Decides how many variants a price has. */
interface VariantRange {
  /** The input lengths above which tiers begin, the shortest first. */
  readonly tierBoundaries: readonly number[]
  /** Each combination of regions, sizes and qualities that modes are for; and none. */
  readonly vendorChoices: readonly ServingMode[]
}

/**
 * The price of one model for one group, in force when the call is admitted. It keeps its variants, each computed when the first call
 * needs it, so that later calls find the weights of their tier, mode and schedule ready.
 */
export class Price implements PriceFacts {
  readonly entry: PriceEntry
  readonly groupRatio: number
  readonly userGroupRatio: number | null
  readonly quotaPerUnit: number
  readonly ownLoginFactor: number | undefined
  readonly assumed: boolean
  readonly modeRatio: (serviceTier: string) => number | null

  #plain: PinnedPrice | null = null
  #searching: Price | null = null
  #standard: Variant | null = null
  #others: Map<string, Variant> | null = null
  #range: VariantRange | null = null
  /** The variants that the vendor may choose of calls that request nothing: by schedule, and by how many boundaries the input is above. */
  #standardChoices: Map<PriceSchedule | null, (readonly Variant[])[]> | null = null
  #isReportPlain: boolean | null = null

  constructor({ entry, groupRatio, userGroupRatio, quotaPerUnit, ownLoginFactor, assumed, modeRatio }: PriceFacts) {
    this.entry = entry
    this.groupRatio = groupRatio
    this.userGroupRatio = userGroupRatio
    this.quotaPerUnit = quotaPerUnit
    this.ownLoginFactor = ownLoginFactor
    this.assumed = assumed
    this.modeRatio = modeRatio
  }

  /** Returns the price of calls with their client's own login. */
  forOwnLogin(factor: number): Price {
    const { entry, groupRatio, userGroupRatio, quotaPerUnit, assumed, modeRatio } = this
    return new Price({ entry, groupRatio, userGroupRatio, quotaPerUnit, ownLoginFactor: factor, assumed, modeRatio })
  }

  /** Returns the price of calls whose searches are run here, in US dollars for a thousand. */
  forSearches(web_search: number): Price {
    if (this.#searching?.entry.prices.web_search === web_search) return this.#searching
    const { entry, groupRatio, userGroupRatio, quotaPerUnit, ownLoginFactor, assumed, modeRatio } = this
    const searched = { ...entry, prices: { ...entry.prices, web_search } }
    const facts = { entry: searched, groupRatio, userGroupRatio, quotaPerUnit, ownLoginFactor, assumed, modeRatio }
    return (this.#searching = new Price(facts))
  }

  /** Returns the price as it is for a call that began at this moment. One object for all calls without particulars. */
  pin({
    unixMs,
    requested = standardMode,
    units = noUnits,
    possible = plainUse,
    media = null,
  }: CallParticulars): PinnedPrice {
    const { schedules } = this.entry
    const schedule = schedules === undefined || schedules.length === 0 ? null : scheduleAt(schedules, unixMs)
    if (schedule !== null || requested !== standardMode || units !== noUnits || possible !== plainUse || media !== null)
      return { price: this, schedule, requested, units, possible, media }
    return (this.#plain ??= { price: this, schedule, requested, units, possible, media })
  }

  /** Returns what a call is charged by. The same object for the same tier, mode and schedule. */
  variantFor({ inputTokens, served, schedule }: VariantQuery): Variant {
    const { tiers } = this.entry
    const tier = tiers === undefined || tiers.length === 0 ? null : tierOf(tiers, inputTokens)
    const modes = served === standardMode ? noModes : matchingModes(this, served)
    if (tier === null && modes.length === 0 && schedule === null)
      return (this.#standard ??= new Variant(this, { tier, modes, inputTokens, schedule }))
    const index = schedule === null ? '' : this.entry.schedules?.indexOf(schedule)
    const ofModes = modes.map((mode) => [mode.name, mode.factor, tierOf(mode.tiers, inputTokens)?.above])
    const key = `${tier?.above ?? ''}\n${index}\n${ofModes.length > 0 ? JSON.stringify(ofModes) : ''}`
    const others = (this.#others ??= new Map())
    let variant = others.get(key)
    if (!variant) others.set(key, (variant = new Variant(this, { tier, modes, inputTokens, schedule })))
    return variant
  }

  /** Calls cost nothing whatever they use, except for tools. */
  get isFree(): boolean {
    return this.variantFor({ inputTokens: 0, served: standardMode, schedule: null }).weights.isFree
  }

  get range(): VariantRange {
    return (this.#range ??= rangeOf(this.entry))
  }

  /** Returns the input tokens of the shortest call above this many boundaries of tiers. */
  inputAbove(boundaries: number): number {
    return boundaries === 0 ? 0 : (this.range.tierBoundaries[boundaries - 1] ?? 0) + 1
  }

  /** Returns the variants by which a call that requests nothing special may be charged with an input above this many boundaries. */
  standardChoices(boundaries: number, schedule: PriceSchedule | null): readonly Variant[] {
    const bySchedule = (this.#standardChoices ??= new Map())
    const known = bySchedule.get(schedule) ?? []
    if (known.length === 0) bySchedule.set(schedule, known)
    return (known[boundaries] ??= this.range.vendorChoices.map((served) =>
      this.variantFor({ inputTokens: this.inputAbove(boundaries), served, schedule }),
    ))
  }

  /** Returns whether a response is charged as one that does not report how it was served, as most are. */
  isChargedAsStandard(served: ServingMode): boolean {
    if (served === standardMode) return true
    if (served !== reportedStandardMode.service_tier && served !== reportedStandardMode.speed) return false
    return (this.#isReportPlain ??= Object.values(reportedStandardMode).every(
      (mode) => matchingModes(this, mode).length === 0,
    ))
  }

  /** Returns whether it has a mode of this name. */
  hasMode(field: ModeField, name: string): boolean {
    return (
      (this.entry.modes ?? noModes).some(({ match }) => match[field] === name) ||
      ((field === 'service_tier' || field === 'speed') && this.modeRatio(name) !== null)
    )
  }
}

function rangeOf({ tiers = [], modes = [] }: PriceEntry): VariantRange {
  const boundaries = [tiers, ...modes.map((mode) => mode.tiers ?? [])].flat().map(({ above }) => above)
  return {
    tierBoundaries: [...new Set(boundaries)].sort((one, other) => one - other),
    vendorChoices: vendorChoicesOf(modes),
  }
}

const chosenByVendor = ['region', 'size', 'quality'] as const

function vendorChoicesOf(modes: readonly PriceMode[]): readonly ServingMode[] {
  const choices: ServingMode[] = [standardMode]
  for (const field of chosenByVendor) {
    const values = new Set(modes.flatMap(({ match }) => match[field] ?? []))
    const chosen = [...values].flatMap((value) => choices.map((choice): ServingMode => ({ ...choice, [field]: value })))
    choices.push(...chosen)
  }
  return choices
}
