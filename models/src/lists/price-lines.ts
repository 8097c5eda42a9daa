import {
  type ClassPrices,
  modelKey,
  modelKeys,
  priceClasses,
  type PriceEntry,
  readPriceLine,
  writePriceLine,
} from '../index'
import { correctEntry } from './corrections'
import { makers, namesModel } from './makers'
import type { PriceListing } from './price-sources'

/** Hosts to believe where the maker lists no price: those that sell at list prices come first. */
const resellers: readonly string[] = [
  'bedrock_converse',
  'bedrock',
  'vertex_ai-anthropic_models',
  'vertex_ai-mistral_models',
  'vertex_ai',
  'azure_ai',
  'azure',
  'google-vertex',
  'amazon-bedrock',
  'groq',
  'together_ai',
  'togetherai',
  'openrouter',
  'siliconflow',
  'cloudflare',
  'cloudflare-workers-ai',
]

/** Hosts with a channel form of their own, whose names have a path and may cost something else than at the maker. */
const pathHosts: readonly string[] = ['openrouter', 'siliconflow', 'cloudflare-workers-ai']

/** When each source was gathered, as `2026-07-02`. */
export interface SourceDates {
  readonly liteLlm: string
  readonly modelsDev: string
}

/**
 * Returns one line a model, in the order of their names, and one for each host's name that costs something else there.
 * LiteLLM counts before models.dev, unless its entry is the older one. Known errors of both are corrected. A name that its shorter form
 * already prices is left out.
 */
export function priceLines(listings: readonly PriceListing[], dates: SourceDates): string[] {
  const entries = new Map<string, PriceEntry>()
  for (const [key, found] of byKey(listings.filter(namesModel))) {
    const entry = choosePrice(key, found, dates)
    if (entry) entries.set(key, correctEntry(key, entry))
  }
  const linesByName = new Map<string, string>()
  const findLine = (keys: Iterable<string>) =>
    [...keys].map((key) => linesByName.get(key)).find((line) => line !== undefined)
  for (const key of [...entries.keys()].sort((one, other) => one.length - other.length)) {
    const entry = entries.get(key)
    if (!entry) continue
    const [, ...shorter] = key.startsWith('ft:') ? [] : modelKeys(key)
    const line = writePriceLine('', entry)
    if (findLine(shorter) !== line) linesByName.set(key, line)
  }
  for (const host of pathHosts) {
    for (const listing of listings) {
      const name = listing.name.toLowerCase()
      if (listing.host !== host || !name.includes('/') || /[\s~:]/.test(name) || linesByName.has(name)) continue
      const general = findLine(modelKeys(name))
      if (general !== undefined && costsTheSame(listing.entry, readPriceLine(general))) continue
      if (isSold(listing.entry)) linesByName.set(name, writePriceLine('', listing.entry))
    }
  }
  return [...linesByName].map(([name, line]) => name + line).sort()
}

function byKey(listings: readonly PriceListing[]): Map<string, PriceListing[]> {
  const found = new Map<string, PriceListing[]>()
  for (const listing of listings) {
    const own = modelKey(listing.name)
    const key = listing.name.startsWith('ft:') ? `ft:${own}` : own
    found.set(key, [...(found.get(key) ?? []), listing])
  }
  return found
}

function choosePrice(key: string, all: readonly PriceListing[], dates: SourceDates): PriceEntry | null {
  const ranked = all
    .map((listing) => ({ listing, rank: rankOf(key, listing, dates) }))
    .toSorted((one, other) => one.rank - other.rank || one.listing.name.length - other.listing.name.length)
  const sold = ranked.filter(({ listing }) => isSold(listing.entry))
  // Sources say 0 of what they do not know, so what is free must be so at its maker and by its kind.
  const [first, ...others] =
    sold.length > 0 ? sold : ranked.filter(({ rank }) => rank < ofOthers && freeOfCharge.test(key))
  if (!first) return null
  const agreeing = others.filter(
    ({ listing, rank }) => rank < ofOthers && agrees(first.listing.entry.prices, listing.entry.prices),
  )
  const prices: ClassPrices = Object.assign(
    {},
    ...agreeing.toReversed().map(({ listing }) => listing.entry.prices),
    first.listing.entry.prices,
  )
  const part = <Name extends 'tiers' | 'modes' | 'schedules'>(name: Name): Pick<PriceEntry, Name> | null => {
    const found = [first, ...agreeing].map(({ listing }) => listing.entry[name]).find((value) => value !== undefined)
    return found === undefined ? null : ({ [name]: found } as Pick<PriceEntry, Name>)
  }
  // A list that says 0 of reading from a cache does not know the price.
  const { cache_read: read, ...rest } = prices
  const known = read ? { ...rest, cache_read: read } : rest
  return { prices: known, ...part('tiers'), ...part('modes'), ...part('schedules') }
}

/** The small models of Zhipu are free by its description. */
const freeOfCharge = /^glm-.*-flash$/

const ofOthers = 10_000

/** Smaller counts more. Makers before others, then LiteLLM before models.dev where its entry is not the older one. */
function rankOf(key: string, listing: PriceListing, dates: SourceDates): number {
  const { host, source } = listing
  const bySource = source === 'models.dev' ? 1000 : isOlder(listing, dates) ? 2000 : 0
  if (makers[host]?.test(key) === true) return bySource + Object.keys(makers).indexOf(host)
  const index = resellers.indexOf(host)
  return ofOthers + bySource + (index < 0 ? resellers.length : index)
}

/**
 * An entry of LiteLLM has no date. It is as old as the whole file, except that of a model which was retired by then: such
 * an entry is not kept up to date, so a description from the time when the model was served counts as newer.
 */
const isOlder = ({ retiresOn }: PriceListing, { liteLlm, modelsDev }: SourceDates): boolean =>
  liteLlm < modelsDev || (retiresOn !== null && retiresOn <= liteLlm && modelsDev < retiresOn)

/** Zero for the input of a model that charges for its output is how a fee for each request is left out. */
const isSold = ({ prices }: PriceEntry): boolean =>
  !(prices.input === 0 && (prices.output ?? 0) > 0) &&
  Object.entries(prices).some(([name, price]) => price > 0 && !['web_search', 'file_search'].includes(name))

/** Hosts list fewer classes than makers. */
const costsTheSame = ({ prices }: PriceEntry, general: PriceEntry): boolean =>
  priceClasses.every((name) => prices[name] === undefined || isNear(prices[name], general.prices[name]))

const agrees = (one: ClassPrices, other: ClassPrices): boolean =>
  one.input !== undefined && isNear(one.input, other.input) && isNear(one.output, other.output)

const isNear = (one = 0, other = 0): boolean => Math.abs(one - other) <= Math.max(one, other) * 1e-3

/**
 * Reads when the sources were gathered: models.dev's file says so, LiteLLM's is at least as new as the newest snapshot that it
 * names, except where that day is still to come.
 */
export function sourceDates(liteLlm: unknown, modelsDev: unknown): SourceDates {
  const named = JSON.stringify(liteLlm).match(/[/-](20\d\d-\d\d-\d\d)"\s*:/g) ?? []
  const days = named.map((text) => text.replaceAll(/[^\d-]/g, '').replace(/^-/, '')).sort()
  const reported = /"source"\s*:\s*"[^"]*data of (\d{4}-\d\d-\d\d)/.exec(JSON.stringify(modelsDev))
  return { liteLlm: days.at(-1) ?? '', modelsDev: reported?.[1] ?? '9999' }
}
