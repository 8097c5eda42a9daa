import type { PriceEntry, priceRoutes } from '@tollgate/contract'
import { inPrices } from '@tollgate/contract/price-formula'
import { catalogedPrices, reasonWithoutPrice } from '@tollgate/models'
import { makerOf, providers } from '@tollgate/providers'

import type { Catalog, Channel } from '../../channels/catalog/catalog'
import type { Price } from '../../billing/pricing/price'
import { saleStamps, type PriceStamp } from '../../billing/pricing/price-store'
import { billingOf, typicalPrice } from '../../billing/pricing/price-view'
import type { Prices } from '../../billing/pricing/prices'
import { groupFactor } from '../../billing/pricing/variant'
import type { Queries } from '../../platform/store/database'
import { lastDays, readSumProgress } from '../../billing/analytics/rollups'
import { sumsByKey } from '../../billing/analytics/query'
import { yuanRateDay } from '../../channels/price-sync/yuan-rate'

/** Everything that rows are made of, read once per call. */
export interface PriceView {
  readonly catalog: Catalog
  /** Who wrote the own entries, by model. */
  readonly stamps: ReadonlyMap<string, PriceStamp>
  /** Model without prefix -> channels that list it. */
  readonly serving: ReadonlyMap<string, readonly Channel[]>
  /** Model -> quota charged in the last 30 days. */
  readonly spend: ReadonlyMap<string, number>
  /** The day of the rate of the yuan, as `2026-11-28`. */
  readonly yuanRateDay: string
}

const spendDays = 30

/** Which rows are wanted. */
interface PriceViewOf {
  /** Milliseconds. */
  readonly now: number
  /** Default: all. */
  readonly models?: readonly string[]
}

export async function readPriceView(
  catalog: Catalog,
  query: Queries,
  { now, models }: PriceViewOf,
): Promise<PriceView> {
  const requestedModels = models && new Set(models)
  const spendQuery = { filter: {}, hours: lastDays(spendDays, now), column: 'model_name' } as const
  const used = await sumsByKey(await readSumProgress(query), spendQuery)
  const spend = new Map([...used].map(([model, { quota }]) => [model, quota]))
  const stamps = await saleStamps(query, models)
  const serving = new Map<string, Channel[]>()
  for (const channel of catalog.channels.values())
    for (const model of channel.models) {
      if (requestedModels && !requestedModels.has(model)) continue
      const others = serving.get(model)
      if (others) others.push(channel)
      else serving.set(model, [channel])
    }
  return { catalog, stamps, serving, spend, yuanRateDay: await yuanRateDay(query) }
}

/** A row before its channels are looked up. */
interface Found {
  readonly model: string
  readonly sale: PriceEntry | null
  readonly list: PriceEntry | null
  readonly mix: number | null
  readonly listMix: number | null
}

type Filter = NonNullable<priceRoutes.PriceSelection['filter']>

/** model-2 before model-10. */
const natural = new Intl.Collator('en', { numeric: true })

/** Returns the models that a selection finds, by name, how many each filter would find, and the makers within the scope. */
export function selectPrices(
  view: PriceView,
  { keyword = '', filter = 'all', scope = 'served', vendor, kind }: priceRoutes.PriceSelection,
) {
  const searchText = keyword.toLowerCase()
  const counts: Record<Filter, number> = { all: 0, own: 0, default: 0, unpriced: 0, differs: 0 }
  const found: Found[] = []
  const vendors = new Set<string>()
  for (const model of [...namesOf(view, scope)].sort(natural.compare)) {
    const maker = makerOf(model)?.id ?? ''
    vendors.add(maker)
    if (vendor !== undefined && maker !== vendor) continue
    if (searchText !== '' && !`${model}\n${maker}`.toLowerCase().includes(searchText)) continue
    const row = readModel(view, model)
    if (kind !== undefined && billingOf(row.sale) !== kind) continue
    const matched = filtersOf(row, view.stamps.has(model))
    for (const one of matched) counts[one] += 1
    if (matched.includes(filter)) found.push(row)
  }
  return { found, counts, vendors }
}

function namesOf({ stamps, serving }: PriceView, scope: 'served' | 'all'): ReadonlySet<string> {
  const names = new Set([...serving.keys(), ...stamps.keys()])
  if (scope === 'all') for (const name of catalogedPrices()) names.add(name)
  return names
}

/** Returns the price of a model on the shipped lists, without empty parts. */
export function shownList(prices: Pick<Prices, 'listOf'>, model: string): PriceEntry | null {
  const entry = prices.listOf(model)
  if (!entry) return null
  const { tiers, modes, schedules, ...others } = inPrices(entry)
  return {
    ...others,
    ...(tiers?.length && { tiers }),
    ...(modes?.length && { modes }),
    ...(schedules?.length && { schedules }),
  }
}

function readModel({ catalog, serving }: PriceView, model: string): Found {
  const prices = catalog.prices
  const sale = prices.entryOf(model) ?? mappedEntry(prices, model, serving.get(model))
  const list = shownList(prices, model)
  return { model, sale, list, mix: typicalPrice(sale), listMix: typicalPrice(list) }
}

/** A model without a price under its own name costs the same as the upstream's name. */
function mappedEntry(
  prices: Pick<Prices, 'entryOf'>,
  model: string,
  channels: readonly Channel[] = [],
): PriceEntry | null {
  for (const { modelMapping } of channels) {
    const upstream = modelMapping.get(model)
    const entry = upstream === undefined ? null : prices.entryOf(model, upstream)
    if (entry) return entry
  }
  return null
}

function filtersOf({ sale, mix, listMix }: Found, isOwn: boolean): Filter[] {
  const found: Filter[] = ['all']
  if (sale === null) found.push('unpriced')
  if (isOwn) found.push('own')
  else if (sale !== null) found.push('default')
  if (isOwn && mix !== listMix) found.push('differs')
  return found
}

const orders: Readonly<
  Record<Exclude<(typeof priceRoutes.priceSorts)[number], 'model'>, (view: PriceView, row: Found) => number>
> = {
  mix: (_view, { mix }) => mix ?? -1,
  list_mix: (_view, { listMix }) => listMix ?? -1,
  margin: (view, { model, mix }) => marginOf(mix, costsOf(view, model).at(-1)) ?? -Infinity,
  spend: ({ spend }, { model }) => spend.get(model) ?? 0,
  channels: ({ serving }, { model }) => serving.get(model)?.length ?? 0,
  updated_at: ({ stamps }, { model }) => stamps.get(model)?.updatedAt ?? 0,
}

/** Sorts what was found by name in another order; equal rows stay sorted by name. */
export function sortPrices(
  view: PriceView,
  found: readonly Found[],
  sort: (typeof priceRoutes.priceSorts)[number] = 'model',
  order: 'asc' | 'desc' = 'asc',
): readonly Found[] {
  if (sort === 'model') return order === 'asc' ? found : found.toReversed()
  const valueOf = orders[sort]
  const sign = order === 'asc' ? 1 : -1
  const valued = found.map((row) => ({ row, value: valueOf(view, row) }))
  // Two unknown values differ by 0, not by NaN.
  const difference = (one: number, other: number) => (one === other ? 0 : one - other)
  return valued.toSorted((one, other) => sign * difference(one.value, other.value)).map(({ row }) => row)
}

/** Returns the row of a model that was found. */
export function priceRow(view: PriceView, { model, sale, list, mix, listMix }: Found): priceRoutes.PriceRow {
  const costs = costsOf(view, model)
  const [cheapest, mostExpensive] = [costs.at(0) ?? null, costs.at(-1) ?? null]
  const entry = view.catalog.prices.book.own(model)
  const stamp = view.stamps.get(model)
  return {
    model,
    owned_by: makerOf(model)?.id ?? '',
    list,
    list_source: listSource(view, model),
    own:
      entry && stamp ? { entry, source: stamp.source, updated_at: stamp.updatedAt, updated_by: stamp.updatedBy } : null,
    sale,
    kind: billingOf(sale),
    mix,
    list_mix: listMix,
    channels: view.serving.get(model)?.length ?? 0,
    cheapest,
    dearest: mostExpensive,
    margin: marginOf(mix, mostExpensive),
    spend: view.spend.get(model) ?? 0,
    reason: reasonWithoutPrice(model),
  }
}

function listSource({ catalog, yuanRateDay: day }: PriceView, model: string): priceRoutes.ListSource | null {
  const found = catalog.prices.listSourceOf(model)
  const vendor = found && providers.find(({ id }) => id === found.vendor)
  if (!vendor) return null
  const { region, currency, date, source } = found
  const rate = { yuan_rate: catalog.options.ListPriceYuanRate, yuan_rate_date: day }
  return { vendor: vendor.name, region, currency, ...rate, date, source }
}

const marginOf = (mix: number | null, mostExpensive: priceRoutes.ChannelCost | null | undefined): number | null =>
  mix === null || mix === 0 || !mostExpensive ? null : Number((1 - mostExpensive.mix / mix).toFixed(6))

/** Returns the row of one model, whether it is known or not. */
export const rowOf = (view: PriceView, model: string): priceRoutes.PriceRow => priceRow(view, readModel(view, model))

/** Returns the costs of a model at the channels that serve it, cheapest first, as far as they are known. */
export const costsOf = (view: PriceView, model: string): priceRoutes.ChannelCost[] =>
  knownCosts(view, model).map(({ channel: { id, name }, cost: { kind }, mix }) => ({
    channel_id: id,
    channel_name: name,
    kind,
    mix,
  }))

/** Returns the price of a model at the channel where it costs most; null where no cost is known. */
export const highestCost = (view: PriceView, model: string): Price | null =>
  knownCosts(view, model).at(-1)?.cost.price ?? null

function knownCosts({ catalog, serving }: PriceView, model: string) {
  const prices = catalog.prices
  return (serving.get(model) ?? [])
    .flatMap((channel) => {
      const cost = prices.costOf(channel.id, model, channel.modelMapping.get(model))
      const mix = cost && typicalPrice(cost.price.entry, groupFactor(cost.price))
      return cost && mix !== null ? [{ channel, cost, mix }] : []
    })
    .sort((one, other) => one.mix - other.mix || one.channel.id - other.channel.id)
}
