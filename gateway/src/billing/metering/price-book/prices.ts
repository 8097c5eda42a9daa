import type { OptionValues } from '@tollgate/contract'
import type { Market, PriceEntry, VendorPrice } from '@tollgate/models'

import type { Price } from './price'
import { overlaid } from './sale-entry'
import { listEntry, listSource } from './list-entry'
import type { PriceBook } from './price-book'
import { resolvedEntry, type PriceDefaults } from './resolve'
import { marketOf, saleMarkets, type BuyingChannel } from './sale-markets'
import { tierRatio } from '../service-tier'

/** The options that prices depend on besides the book. */
export type PriceOptions = PriceDefaults &
  Pick<OptionValues, 'GroupRatio' | 'GroupGroupRatio' | 'QuotaPerUnit' | 'SelfUseModeEnabled'>

/** What prices are made of: a snapshot of the catalog. */
export interface PriceSource {
  readonly options: PriceOptions
  readonly prices: PriceBook
  /** Decide in which markets models are bought; without them in none. */
  readonly channels?: ReadonlyMap<number, BuyingChannel>
}

/** The buyer and the model. */
interface PriceQuery {
  /** The group in use. */
  readonly group: string
  /** The caller's own group. */
  readonly userGroup: string
  /** The upstream's name for the model: its entries count where the model's own name has none. */
  readonly upstreamModel?: string
  /** The caller pays the ceiling for a model without a price. */
  readonly acceptsUnpriced?: boolean
  /** The model runs on the operator's own machine: it costs nothing unless the operator set a price. */
  readonly isOwnMachine?: boolean
}

/** What a channel's vendor charges for a model, and how that is known. */
export interface ChannelCost {
  readonly price: Price
  /** `own`: the operator's entry. `factor`: the list price times that of the channel. `list`: the list price. */
  readonly kind: 'own' | 'factor' | 'list'
}

/** All prices of the site. */
export interface Prices {
  /**
   * Returns the price of a model; null when none is known that a call can be charged by, and the caller does not accept that. Cached: one
   * look-up per call.
   */
  priceOf(model: string, query: PriceQuery): Price | null
  /** Returns the sale price before any group's ratio; null when no price is known. */
  entryOf(model: string, upstreamModel?: string, isOwnMachine?: boolean): PriceEntry | null
  /** Returns the list price of a model where it is bought; null where no list has one. */
  listOf(model: string): PriceEntry | null
  /** Returns the vendor's price that the list price is made of; null: the general list's, or none. */
  listSourceOf(model: string): VendorPrice | null
  /** Returns the market in which all channels buy a model; null: there are several, or none has prices of its own. */
  marketOf(model: string): Market | null
  /** Returns what it costs at a channel; null when that is not known. Cached. */
  costOf(channelId: number, model: string, upstreamModel?: string): ChannelCost | null
}

const freeEntry: PriceEntry = { prices: { input: 0 }, tiers: [], modes: [], schedules: [] }

/** Names come from clients, so the cache is bounded. */
const mostRemembered = 10_000

/** Creates the prices in force under a snapshot. */
export function createPrices({ options, prices: book, channels = new Map() }: PriceSource): Prices {
  const yuanRate = options.ListPriceYuanRate
  const markets = saleMarkets(channels.values())
  const prices = new Map<string, Price | null>()
  const costs = new Map<string, ChannelCost | null>()
  const entries = new Map<string, PriceEntry | null>()
  const entryOf = (model: string, upstreamModel = '', isOwnMachine = false) =>
    isOwnMachine && !isSet(model, upstreamModel)
      ? freeEntry
      : remembered(entries, `${model}\n${upstreamModel}`, () =>
          resolvedEntry(book, options, wanted(model, upstreamModel)),
        )
  const isSet = (model: string, upstreamModel: string) =>
    book.own(model) !== null || (upstreamModel !== '' && book.own(upstreamModel) !== null)
  const wanted = (model: string, upstreamModel: string) => ({
    model,
    upstreamModel,
    market: markets.get(model) ?? null,
  })

  function priced(model: string, query: PriceQuery): Price | null {
    const { group, userGroup, upstreamModel = '' } = query
    const accepts = query.acceptsUnpriced === true || options.SelfUseModeEnabled
    const known = entryOf(model, upstreamModel, query.isOwnMachine)
    const entry =
      known ?? (accepts ? resolvedEntry(book, options, { ...wanted(model, upstreamModel), isAssumed: true }) : null)
    if (!entry) return null
    const names = upstreamModel === '' ? [model] : [upstreamModel, model]
    return {
      entry,
      groupRatio: options.GroupRatio[group] ?? 1,
      userGroupRatio: options.GroupGroupRatio[userGroup]?.[group] ?? null,
      quotaPerUnit: options.QuotaPerUnit,
      assumed: known === null,
      modeRatio: (tier) => tierRatio(options.ServiceTierRatio, tier, names),
    }
  }

  function cost(channelId: number, model: string, upstreamModel: string): ChannelCost | null {
    const own = book.cost(channelId, model) ?? book.cost(channelId, upstreamModel)
    const channel = channels.get(channelId)
    const terms = { yuanRate, market: channel ? marketOf(channel) : null }
    const list = listEntry(upstreamModel, terms) ?? listEntry(model, terms)
    const entry = own && list ? overlaid(own, list) : (own ?? list)
    if (!entry) return null
    const factor = own ? null : book.factor(channelId)
    return {
      price: {
        entry,
        groupRatio: factor ?? 1,
        userGroupRatio: null,
        quotaPerUnit: options.QuotaPerUnit,
        assumed: false,
        modeRatio: (tier) => tierRatio(options.ServiceTierRatio, tier, [upstreamModel, model]),
      },
      kind: own ? 'own' : factor === null ? 'list' : 'factor',
    }
  }

  return {
    entryOf,
    listOf: (model) => listEntry(model, { yuanRate, market: markets.get(model) ?? null }),
    listSourceOf: (model) => listSource(model, markets.get(model) ?? null),
    marketOf: (model) => markets.get(model) ?? null,
    priceOf(model, query) {
      const { group, userGroup, upstreamModel = '', acceptsUnpriced = false, isOwnMachine = false } = query
      const key = `${model}\n${group}\n${userGroup}\n${upstreamModel}\n${acceptsUnpriced}\n${isOwnMachine}`
      return remembered(prices, key, () => priced(model, query))
    },
    costOf: (channelId, model, upstreamModel = model) =>
      remembered(costs, `${channelId}\n${model}\n${upstreamModel}`, () => cost(channelId, model, upstreamModel)),
  }
}

function remembered<Value>(known: Map<string, Value>, key: string, find: () => Value): Value {
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= mostRemembered) known.clear()
  const value = find()
  known.set(key, value)
  return value
}

/** One for each snapshot. */
const bySource = new WeakMap<PriceSource, Prices>()

/** Returns the prices of this snapshot, created on first use. */
export function pricesOf(source: PriceSource): Prices {
  const known = bySource.get(source)
  if (known) return known
  const prices = createPrices(source)
  bySource.set(source, prices)
  return prices
}
