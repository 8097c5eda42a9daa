import { numberOf, quotient, ratioBase, entryPrices } from '@tollgate/contract/price-formula'
import { ratioClasses, type ClassRatios, type PriceEntry, type RatioClass } from '@tollgate/models'

import { dollarsOfRatio } from './list-price'
import type { Prices } from './prices'

/** The options that express prices as ratios: the specification's view of price entries. */
export const ratioOptions = [
  'ModelRatio',
  'ModelPrice',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'ImageRatio',
  'AudioRatio',
  'AudioCompletionRatio',
] as const
export type RatioOption = (typeof ratioOptions)[number]

const names: ReadonlySet<string> = new Set(ratioOptions)
/** Returns whether an option is a view of the price entries. */
export const isRatioOption = (key: string): key is RatioOption => names.has(key)

export type RatioView = { readonly [Option in RatioOption]?: number }

/** The class that each ratio applies to. */
const classOfRatio = {
  CompletionRatio: 'output',
  CacheRatio: 'cache_read',
  CreateCacheRatio: 'cache_write_5m',
  ImageRatio: 'image_in',
  AudioRatio: 'audio_in',
  AudioCompletionRatio: 'audio_out',
} as const satisfies Partial<Record<RatioOption, RatioClass>>

/**
 * Returns an operator's entry as ratios. A class without a price has none, nor has one whose base costs nothing. `listInput` is the price
 * of input where the entry has none.
 */
export function ratioView(entry: PriceEntry, listInput?: number): RatioView {
  const view: Partial<Record<RatioOption, number>> = {}
  const { prices } = entry
  if (prices.input !== undefined) view.ModelRatio = quotient(prices.input, dollarsOfRatio)
  if (prices.per_call !== undefined) view.ModelPrice = prices.per_call
  const ratios = asRatios(entry, listInput)
  for (const option of ratioOptions) {
    if (option === 'ModelRatio' || option === 'ModelPrice') continue
    const ratio = ratios[classOfRatio[option]]
    if (ratio !== undefined) view[option] = ratio
  }
  return view
}

/**
 * Returns the entry with one ratio changed, or removed where it is undefined; null when nothing is left of it. Everything else keeps its
 * ratio, so the order in which ratios are set does not matter.
 */
export function withRatio(
  entry: PriceEntry,
  option: RatioOption,
  ratio: number | undefined,
  listInput?: number,
): PriceEntry | null {
  if (option === 'ModelPrice') return nullIfEmpty(withPrice(entry, 'per_call', ratio))
  if (option === 'ModelRatio')
    return nullIfEmpty(
      withPrice(inRatios(entry, listInput), 'input', ratio === undefined ? undefined : ratio * dollarsOfRatio),
    )
  const name = classOfRatio[option]
  const { [name]: _, ...ratios } = inRatios(entry, listInput).ratios ?? {}
  const next: ClassRatios = ratio === undefined ? ratios : { ...ratios, [name]: ratio }
  // The ratio of writes for an hour follows that for five minutes.
  const { cache_write_1h: __, ...others } = next
  return nullIfEmpty({ ...inRatios(entry, listInput), ratios: option === 'CreateCacheRatio' ? others : next })
}

/** Returns the ratios of all classes that an entry has, as ratios or as prices. */
function asRatios(entry: PriceEntry, listInput: number | undefined): ClassRatios {
  const found: Partial<Record<RatioClass, number>> = {}
  const { input = listInput } = entry.prices
  const exact = entryPrices({ ...entry, prices: { ...(input !== undefined && { input }), ...entry.prices } })
  for (const name of ratioClasses) {
    const price = entry.prices[name]
    const base = numberOf(exact[ratioBase(name)] ?? exact.input ?? { digits: 0n, places: 0 })
    const ratio = price === undefined ? entry.ratios?.[name] : base > 0 ? quotient(price, base) : undefined
    if (ratio !== undefined) found[name] = ratio
  }
  return found
}

/** Returns the same entry with ratios in place of prices, where there is something to be a ratio of. */
function inRatios(entry: PriceEntry, listInput: number | undefined): PriceEntry {
  const ratios = asRatios(entry, listInput)
  const prices = Object.fromEntries(
    Object.entries(entry.prices).filter(([name]) => ratios[name as RatioClass] === undefined),
  )
  return { ...entry, prices, ratios }
}

function withPrice(entry: PriceEntry, name: 'input' | 'per_call', price: number | undefined): PriceEntry {
  const { [name]: _, ...prices } = entry.prices
  return { ...entry, prices: price === undefined ? prices : { ...prices, [name]: price } }
}

/** Returns null for an entry that has become empty. */
function nullIfEmpty({ ratios, ...entry }: PriceEntry): PriceEntry | null {
  const hasRatios = ratios !== undefined && Object.keys(ratios).length > 0
  const parts = [entry.tiers, entry.modes, entry.schedules]
  if (!hasRatios && Object.keys(entry.prices).length === 0 && parts.every((part) => !part?.length)) return null
  return { ...entry, ...(hasRatios && { ratios }) }
}

/** An operator's entry; null for one that cannot be read. */
interface OwnEntry {
  readonly model: string
  readonly entry: PriceEntry | null
}

/** The specification's ratio options are a view of the entries; nothing is stored under their keys. */
export function ratioTexts(
  stored: readonly OwnEntry[],
  prices: Pick<Prices, 'listOf'>,
): ReadonlyMap<RatioOption, string> {
  const tables = new Map(ratioOptions.map((option): [RatioOption, Record<string, number>] => [option, {}]))
  for (const { model, entry } of stored) {
    if (!entry) continue
    const view = ratioView(entry, prices.listOf(model)?.prices.input)
    for (const option of ratioOptions) {
      const [ratio, table] = [view[option], tables.get(option)]
      if (ratio !== undefined && table) table[model] = ratio
    }
  }
  return new Map([...tables].map(([option, table]) => [option, JSON.stringify(table)]))
}
