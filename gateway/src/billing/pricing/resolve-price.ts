import { isPriced } from '@tollgate/contract/price-formula'
import type { OptionValues, Table } from '@tollgate/contract'
import { modelFamilyOf, modelKeys, type Market, type PriceEntry, type PriceMode } from '@tollgate/models'

import { familyRatios, legacyRatios, listEntry } from './list-price'
import { overlay } from './overlay'
import type { PriceBook } from './price-book'
import { fileSearchPrice, imageGenerationPrice, webSearchPrice } from './shipped-prices'

/** The options that fill gaps in entries. */
export type PriceDefaults = Pick<OptionValues, 'ServiceTierRatio' | 'ToolPrice' | 'ListPriceYuanRate'>

/** The price of a model without a known price, for callers who accept that: 75 US dollars for a million tokens. */
const ceilingInputPrice = 75

/** Returns the names under which a price is looked up, the best first: the caller's, then the upstream's, each with its family's. */
function namesOf(model: string, upstreamModel: string): readonly string[] {
  const names = upstreamModel === model || upstreamModel === '' ? [model] : [model, upstreamModel]
  return names.flatMap((name) => {
    const family = modelFamilyOf(name)
    return family === null ? [name] : [name, family.entry]
  })
}

/**
 * Returns the sale price of a model: for each of its names the operator's own entry, then the list's, class by class; then what is known
 * of its closest relative. Null where no price is known, unless `useCeilingPrice`.
 */
export function resolvePrice(
  book: Pick<PriceBook, 'own'>,
  defaults: PriceDefaults,
  { model, upstreamModel = model, market = null, useCeilingPrice = false }: PricedModel,
): PriceEntry | null {
  const terms = { yuanRate: defaults.ListPriceYuanRate, market }
  const names = namesOf(model, upstreamModel)
  const layers = names.flatMap((name, index) => [
    book.own(name),
    index === 0 ? optionTools(defaults.ToolPrice, name) : null,
    withSoldServiceTiers(listEntry(name, terms), defaults.ServiceTierRatio, names),
    legacyRatios(name),
  ])
  layers.push(...names.map(familyRatios))
  if (useCeilingPrice) layers.push({ prices: { input: ceilingInputPrice } })
  layers.push(defaultTools(model))
  const entry = layers
    .filter((layer) => layer !== null)
    .reduceRight<PriceEntry | null>((bottom, top) => (bottom ? overlay(top, bottom) : top), null)
  return entry && isPriced(entry.prices) ? entry : null
}

/** The model whose price is needed. */
export interface PricedModel {
  readonly model: string
  /** The upstream's name for it: its entries count where the model's own name has none. */
  readonly upstreamModel?: string
  /** Where it is bought, if in one market alone. */
  readonly market?: Market | null
  /** A model without a price costs the ceiling. */
  readonly useCeilingPrice?: boolean
}

/** Returns what the shipped lists and the option of tools have for a model, without the operator's entry. */
export const listedEntry = (defaults: PriceDefaults, model: string, market: Market | null = null): PriceEntry | null =>
  resolvePrice({ own: () => null }, defaults, { model, market })

function optionTools(tools: Table<number>, model: string): PriceEntry {
  const of = (tool: string) => tools[`${tool}:${model}`] ?? tools[tool]
  const [web, file, code, image] = [of('web_search'), of('file_search'), of('code_interpreter'), of('image_generation')]
  return {
    prices: {
      ...(web !== undefined && { web_search: web }),
      ...(file !== undefined && { file_search: file }),
      ...(code !== undefined && { code_interpreter: code }),
      ...(image !== undefined && { image_generation: image }),
    },
  }
}

const defaultTools = (model: string): PriceEntry => ({
  prices: {
    web_search: webSearchPrice(model),
    file_search: fileSearchPrice(model),
    image_generation: imageGenerationPrice,
  },
})

/** Removes the list's modes of service tiers that the site does not sell, or sells for this model at a factor of its own. */
function withSoldServiceTiers(
  list: PriceEntry | null,
  ratios: Table<number>,
  names: readonly string[],
): PriceEntry | null {
  if (!list?.modes?.length) return list
  const isRetained = ({ match }: PriceMode) =>
    [match.service_tier, match.speed].every(
      (serviceTier) =>
        serviceTier === undefined ||
        (ratios[serviceTier] !== undefined && modelServiceTierRatio(ratios, serviceTier, names) === null),
    )
  return { ...list, modes: list.modes.filter(isRetained) }
}

/**
 * Returns the factor on everything that a call of this service tier costs: that of `tier:model` under the first of the model's names,
 * otherwise that of the tier. Null where the site does not sell it.
 */
export const serviceTierRatio = (ratios: Table<number>, serviceTier: string, names: readonly string[]): number | null =>
  modelServiceTierRatio(ratios, serviceTier, names) ?? ratios[serviceTier] ?? null

/** Returns the factor that is set for the service tier of one model only; null where none is. */
function modelServiceTierRatio(ratios: Table<number>, serviceTier: string, names: readonly string[]): number | null {
  for (const name of names)
    for (const key of [name, ...modelKeys(name)]) {
      const ratio = ratios[`${serviceTier}:${key}`]
      if (ratio !== undefined) return ratio
    }
  return null
}
