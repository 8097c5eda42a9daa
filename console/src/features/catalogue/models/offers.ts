import type { PriceClass, PriceEntry, pricingRoutes } from '@tollgate/contract'
import { inPrices } from '@tollgate/contract/price-formula'

import { type BillingKind, billingOf } from '../../../lib/text/price-entry/billing'
import { listedPrice, withOutput } from '../../../lib/text/price-entry/variant'
import type { ModelSearch, PriceColumn, SortColumn } from './model-search'
import { type Amounts, type Cost, costOf } from '../../../lib/text/price-entry/cost'

type Row = pricingRoutes.PricingRow

/** A model in the chosen group. */
export interface Offer extends pricingRoutes.PricingRow {
  /** Its name, the id of its table row. */
  readonly id: string
  readonly kind: BillingKind
  /** Price multiplier of the group; undefined where the group does not have the model. */
  readonly factor: number | undefined
}

/** Stands for models of unknown makers. */
export const otherVendor = 'other'

export const vendorOf = ({ owned_by: maker }: Row): string => maker || otherVendor

export function offersIn(rows: readonly Row[], group: string, groupRatio: number): Offer[] {
  return rows.map((row) => ({
    ...row,
    id: row.model_name,
    entry: offeredEntry(row),
    kind: billingOf(row.entry),
    factor: row.enable_groups.includes(group) ? groupRatio : undefined,
  }))
}

/** Kinds of models that call a vendor's tools. */
const toolUsers: ReadonlySet<string | undefined> = new Set(['chat', 'completion', 'realtime', 'other'])
/** Kinds of models whose responses have no tokens of text. */
const wordless: ReadonlySet<string | undefined> = new Set(['embedding', 'rerank', 'moderation', 'speech'])

/** Returns the entry with prices instead of ratios and what output costs, without tool prices for models that are not known to call any. */
function offeredEntry({ entry, facts }: Row): PriceEntry {
  const named = inPrices(entry)
  const priced = wordless.has(facts?.kind) ? named : withOutput(named)
  if (toolUsers.has(facts?.kind)) return priced
  const { web_search: _w, file_search: _f, code_interpreter: _c, image_generation: _i, ...prices } = priced.prices
  return { ...priced, prices }
}

type Filters = Pick<ModelSearch, 'keyword' | 'vendor' | 'kind' | 'ability'>

/** Each word of the search must occur in the name. */
export function matching(offers: readonly Offer[], { keyword = '', vendor, kind, ability }: Filters): Offer[] {
  const words = keyword.toLowerCase().split(/\s+/).filter(Boolean)
  return offers.filter(
    (offer) =>
      (!vendor || vendorOf(offer) === vendor) &&
      (!kind || offer.kind === kind) &&
      (!ability || offer.facts?.abilities.includes(ability)) &&
      words.every((word) => offer.model_name.toLowerCase().includes(word)),
  )
}

/** Returns the number of offers for each value in descending order, the unknown last. */
export function countOffers(
  offers: readonly Offer[],
  kindOf: (offer: Offer) => string,
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const offer of offers) counts.set(kindOf(offer), (counts.get(kindOf(offer)) ?? 0) + 1)
  return [...counts].sort(([one, many], [other, more]) => {
    const isLast = Number(one === otherVendor) - Number(other === otherVendor)
    return isLast || more - many || (one < other ? -1 : 1)
  })
}

interface Order {
  readonly column: SortColumn
  readonly isDescending: boolean
  /** The call whose cost is compared. */
  readonly call: UsualCall
}

/** model-2 before model-10. */
const natural = new Intl.Collator('en', { numeric: true })

/** Sorts by a column; offers without a value come last either way. */
export function sorted(offers: readonly Offer[], { column, isDescending, call }: Order): Offer[] {
  const direction = isDescending ? -1 : 1
  const byName = (one: Offer, other: Offer) => natural.compare(one.model_name, other.model_name)
  if (column === 'name') return offers.toSorted((one, other) => direction * byName(one, other))
  const valueOf = (offer: Offer) => {
    if (column === 'context') return offer.facts?.context_tokens ?? undefined
    return column === 'cost' ? callCost(offer, call)?.dollars : priceIn(offer, column)
  }
  return offers.toSorted((one, other) => {
    const [value, otherValue] = [valueOf(one), valueOf(other)]
    if (value === undefined || otherValue === undefined)
      return Number(value === undefined) - Number(otherValue === undefined) || byName(one, other)
    return direction * (value - otherValue) || byName(one, other)
  })
}

/** Returns the class that a column shows; for units, the one the model is billed by. */
export function classIn({ entry: { prices } }: Pick<Row, 'entry'>, column: PriceColumn): PriceClass | undefined {
  if (column !== 'unit') return columnClasses[column]
  return unitColumn.find((name) => prices[name] !== undefined)
}

const columnClasses = {
  input: 'input',
  output: 'output',
  cache: 'cache_read',
  write: 'cache_write_5m',
} as const satisfies Partial<Record<PriceColumn, PriceClass>>
const unitColumn = ['per_call', 'per_image', 'per_second', 'per_character'] as const satisfies readonly PriceClass[]

/** Returns the price in a column before the group's factor. */
export function listedIn(offer: Pick<Row, 'entry'>, column: PriceColumn): number | undefined {
  const name = classIn(offer, column)
  return name && listedPrice(offer.entry.prices, name)
}

/** Returns the price in a column; undefined where the entry has none or the group does not have the model. */
export function priceIn(offer: Pick<Offer, 'entry' | 'factor'>, column: PriceColumn): number | undefined {
  const price = listedIn(offer, column)
  return price === undefined || offer.factor === undefined ? undefined : price * offer.factor
}

/** The call by which the list compares models. */
interface UsualCall {
  readonly input: number
  readonly output: number
  /** Cached part of the input. */
  readonly cached: number
  /** Name of a mode; models without it are charged as usual. */
  readonly mode?: string
  /** Start time in unix milliseconds. */
  readonly at?: number
}

export const usualCall: UsualCall = { input: 2000, output: 500, cached: 0 }

/** Returns the cost of such a call with a model; undefined without a price, or when billed by seconds or characters. */
export function callCost({ entry, kind, factor }: Pick<Offer, 'entry' | 'kind' | 'factor'>, call: UsualCall) {
  if (factor === undefined || kind === 'second' || kind === 'character') return undefined
  const tokens = tokensOf(call, entry.prices.output !== undefined)
  return costOf(entry, kind === 'image' ? { per_image: 1 } : tokens, {
    mode: call.mode,
    at: call.at,
    factor,
  }) satisfies Cost
}

/** Cached tokens cannot exceed the input. Models of vectors have no output. */
function tokensOf({ input, output, cached }: UsualCall, hasOutput: boolean): Amounts {
  const read = Math.min(cached, input)
  return { input: input - read, cache_read: read, output: hasOutput ? output : 0 }
}
