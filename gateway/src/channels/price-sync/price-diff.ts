import type { priceSyncRoutes } from '@tollgate/contract'
import {
  priceClasses,
  tokenClasses,
  type PriceClass,
  type PriceEntry,
  type PriceMode,
  type PriceSchedule,
} from '@tollgate/models'
import { entryPrices, fullPrices, numberOf } from '@tollgate/contract/price-formula'

/** A price, a factor, a whole mode, all schedules, or a billing kind. */
export type FieldValue = number | string | PriceMode | readonly PriceSchedule[]
type Reason = priceSyncRoutes.ProposalReason

/** One field that differs in a source. */
export interface FieldChange {
  /** A class, `tier:200000:input`, `mode:priority:factor`, `mode:priority`, `schedules`, `kind`; empty: the whole entry. */
  readonly field: string
  /** Null: there is no price. */
  readonly before: FieldValue | null
  readonly after: FieldValue | null
  /** Why it cannot be proposed at all; null: it can. */
  readonly refusal: Extract<Reason, 'kind' | 'zero' | 'dropped'> | null
}

export interface DiffOptions {
  /** Missing prices count as dropped: public lists have all they know, gateways only ratios. */
  readonly isComplete: boolean
}

/**
 * Returns the differences between a source and the current entry, field by field. None of them deletes a price or changes the billing
 * kind: such changes have the reason why they are refused.
 */
export function priceDiff(present: PriceEntry | null, listed: PriceEntry, options: DiffOptions): FieldChange[] {
  if (!present) return classChanges(listed.prices, () => null, '')
  const [before, after] = [billingOf(present), billingOf(listed)]
  if (before !== after) return [{ field: 'kind', before, after, refusal: 'kind' }]
  const changes = [
    ...classChanges(listed.prices, (name) => effectivePrice(present, name), ''),
    ...tierChanges(present, listed),
    ...modeChanges(present, listed),
    ...scheduleChanges(present, listed),
  ]
  return options.isComplete ? [...changes, ...findDropped(present, listed)] : changes
}

type Prices = PriceEntry['prices']

function classChanges(listed: Prices, present: (name: PriceClass) => number | null, prefix: string): FieldChange[] {
  return priceClasses.flatMap((name) => {
    const after = listed[name]
    return after === undefined ? [] : numberChange(prefix + name, present(name), after)
  })
}

/** Lists write 0 for unknown prices, so nothing becomes free because of a list. */
function numberChange(field: string, before: number | null, after: number): FieldChange[] {
  if (before === null && after === 0) return []
  if (before !== null && isNear(before, after)) return []
  return [{ field, before, after, refusal: after === 0 ? 'zero' : null }]
}

function tierChanges(present: PriceEntry, listed: PriceEntry): FieldChange[] {
  return (listed.tiers ?? []).flatMap(({ above, prices }) =>
    classChanges(prices, (name) => tierPrice(present, above, name), `tier:${above}:`),
  )
}

function modeChanges(present: PriceEntry, listed: PriceEntry): FieldChange[] {
  return (listed.modes ?? []).flatMap((mode): FieldChange[] => {
    const own = present.modes?.find(({ name }) => name === mode.name)
    const field = `mode:${mode.name}`
    if (!own) return [{ field, before: null, after: mode, refusal: null }]
    if (Bun.deepEquals(own, mode)) return []
    const isFactor = own.factor !== undefined && mode.factor !== undefined && !own.prices && !mode.prices
    const isPrices = own.prices && mode.prices && own.factor === mode.factor && Bun.deepEquals(own.tiers, mode.tiers)
    if (!Bun.deepEquals(own.match, mode.match) || !(isFactor || isPrices))
      return [{ field, before: own, after: mode, refusal: null }]
    if (isFactor) return numberChange(`${field}:factor`, own.factor ?? 1, mode.factor ?? 1)
    const { prices = {} } = own
    return classChanges(mode.prices ?? {}, (name) => prices[name] ?? effectivePrice(present, name), `${field}:`)
  })
}

function scheduleChanges(present: PriceEntry, listed: PriceEntry): FieldChange[] {
  const [before, after] = [present.schedules ?? [], listed.schedules ?? []]
  if (after.length === 0 || Bun.deepEquals(before, after)) return []
  return [{ field: 'schedules', before: before.length > 0 ? before : null, after, refusal: null }]
}

/** What is charged now and missing in the source. It is left unchanged. */
function findDropped(present: PriceEntry, listed: PriceEntry): FieldChange[] {
  const toDroppedChange = (field: string, before: FieldValue): FieldChange => ({
    field,
    before,
    after: null,
    refusal: 'dropped',
  })
  const classes = priceClasses.flatMap((name) => {
    const price = present.prices[name]
    return price && listed.prices[name] === undefined ? [toDroppedChange(name, price)] : []
  })
  const tiers = (present.tiers ?? []).filter(({ above }) => !listed.tiers?.some((tier) => tier.above === above))
  const modes = (present.modes ?? []).filter(({ name }) => !listed.modes?.some((mode) => mode.name === name))
  const hours =
    present.schedules?.length && !listed.schedules?.length ? [toDroppedChange('schedules', present.schedules)] : []
  return [
    ...classes,
    ...tiers.map(({ above, prices }) =>
      toDroppedChange(`tier:${above}:input`, prices.input ?? present.prices.input ?? 0),
    ),
    ...modes.map((mode) => toDroppedChange(`mode:${mode.name}`, mode)),
    ...hours,
  ]
}

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= Math.max(one, other) * 1e-4

const followers: ReadonlySet<string> = new Set(tokenClasses)

/** Returns what a class costs by an entry, set or following from another class; null where nothing is charged for it. */
export function effectivePrice(entry: PriceEntry, name: PriceClass): number | null {
  const own = entry.prices[name]
  if (own !== undefined || !followers.has(name) || entry.prices.input === undefined) return own ?? null
  return numberOf(fullPrices(entryPrices(entry))[name])
}

/** A new tier replaces the one below it. */
export function tierPrice(entry: PriceEntry, above: number, name: PriceClass): number | null {
  const reached = (entry.tiers ?? []).filter((tier) => tier.above <= above).toSorted((a, b) => b.above - a.above)[0]
  return effectivePrice({ ...entry, prices: { ...entry.prices, ...reached?.prices } }, name)
}

/** Returns the primary unit that a call is billed by. */
export function billingOf({ prices }: PriceEntry): string {
  const kinds = ['per_call', 'input', 'per_image', 'per_second', 'per_character'] as const
  const found = kinds.find((name) => prices[name] !== undefined) ?? 'per_call'
  return found === 'input' ? 'tokens' : found
}
