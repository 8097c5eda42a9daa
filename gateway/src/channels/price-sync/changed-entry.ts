import { PriceMode, PriceSchedule } from '@tollgate/contract'
import { priceClasses, tokenClasses, type ClassPrices, type PriceClass, type PriceEntry } from '@tollgate/models'

import { effectivePrice, type FieldValue } from './price-diff'

/** A field and its new value. */
export interface AppliedChange {
  readonly field: string
  readonly after: FieldValue | null
}

/**
 * Returns an entry with these fields changed and every other price as it is charged now: what followed from a changed price is set
 * explicitly from then on.
 */
export function changedEntry(present: PriceEntry | null, changes: readonly AppliedChange[]): PriceEntry {
  return changes.reduce(withChange, present ? expandRatios(present) : { prices: {} })
}

/** Returns the entry with a price instead of every ratio, and of each class that follows from one which may change. */
function expandRatios(entry: PriceEntry): PriceEntry {
  const { ratios: _, ...rest } = entry
  if (entry.prices.input === undefined) return rest
  const prices: { [Class in PriceClass]?: number } = { ...entry.prices }
  for (const name of tokenClasses) {
    const price = effectivePrice(entry, name)
    if (price !== null && isTellable(entry, name)) prices[name] = price
  }
  return { ...rest, prices: prices satisfies ClassPrices }
}

/** Classes that few models have stay unset: they cost the same as the entry's other classes. */
const isTellable = ({ prices, ratios }: PriceEntry, name: PriceClass): boolean =>
  prices[name] !== undefined ||
  ratios?.[name as keyof typeof ratios] !== undefined ||
  name === 'output' ||
  name === 'cache_read'

function withChange(entry: PriceEntry, { field, after }: AppliedChange): PriceEntry {
  const [part = '', which = '', name = ''] = field.split(':')
  if (part === 'schedules') return { ...entry, schedules: PriceSchedule.array().parse(after) }
  if (part === 'mode') return withMode(entry, which, name, after)
  if (typeof after !== 'number') return entry
  if (part === 'tier') return withTier(entry, Number(which), classNamed(name), after)
  return { ...entry, prices: { ...entry.prices, [classNamed(part)]: after } }
}

function withTier(entry: PriceEntry, above: number, name: PriceClass, price: number): PriceEntry {
  const tiers = entry.tiers ?? []
  const own = tiers.find((tier) => tier.above === above) ?? { above, prices: {} }
  const next = { above, prices: { ...own.prices, [name]: price } }
  return { ...entry, tiers: [...tiers.filter((tier) => tier !== own), next].sort((a, b) => a.above - b.above) }
}

function withMode(entry: PriceEntry, name: string, part: string, after: FieldValue | null): PriceEntry {
  const modes = entry.modes ?? []
  const own = modes.find((mode) => mode.name === name)
  if (part === '') {
    const next = PriceMode.parse(after)
    return { ...entry, modes: own ? modes.map((mode) => (mode === own ? next : mode)) : [...modes, next] }
  }
  if (!own || typeof after !== 'number') return entry
  const next =
    part === 'factor' ? { ...own, factor: after } : { ...own, prices: { ...own.prices, [classNamed(part)]: after } }
  return { ...entry, modes: modes.map((mode) => (mode === own ? next : mode)) }
}

const classes: ReadonlySet<string> = new Set(priceClasses)

/** @throws TypeError for an unknown name, as in a row of a later release. */
function classNamed(name: string): PriceClass {
  if (!classes.has(name)) throw new TypeError(`${name} is not a class of prices`)
  return name as PriceClass
}
