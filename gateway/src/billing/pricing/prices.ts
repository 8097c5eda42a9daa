import type { OptionValues } from '@tollgate/contract'
import type { Market, PriceEntry, VendorPrice } from '@tollgate/models'

import { listEntry, listSource } from './list-price'
import { overlay } from './overlay'
import { Price } from './price'
import { emptyPriceBook, type PriceBook } from './price-book'
import { resolvePrice, serviceTierRatio, type PriceDefaults, type PricedModel } from './resolve-price'
import { marketOf, saleMarkets, type BuyingChannel } from './sale-markets'

/** The options that prices depend on besides the book. */
export type PriceOptions = PriceDefaults &
  Pick<OptionValues, 'GroupRatio' | 'GroupGroupRatio' | 'QuotaPerUnit' | 'SelfUseModeEnabled'>

/** What prices are made of. */
interface PriceSource {
  readonly options: PriceOptions
  readonly book?: PriceBook
  /** Decide in which markets models are bought; without them in none. */
  readonly channels?: ReadonlyMap<number, BuyingChannel>
}

/** The buyer and the model. */
export interface PriceQuery {
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

/** Returns the price that a model had when work began; undefined: it is not part of that work. */
export type PinnedPrices = (model: string, query: PriceQuery) => Price | undefined

/** What a channel's vendor charges for a model, and how that is known. */
export interface ChannelCost {
  readonly price: Price
  /** `own`: the operator's entry. `factor`: the list price times that of the channel. `list`: the list price. */
  readonly kind: 'own' | 'factor' | 'list'
}

const freeEntry: PriceEntry = { prices: { input: 0 }, tiers: [], modes: [], schedules: [] }

/** Names come from clients, so caches are bounded. */
const maxCached = 10_000

class BoundedCache<Value> {
  readonly #known = new Map<string, Value>()

  get(key: string, find: () => Value): Value {
    const found = this.#known.get(key)
    if (found !== undefined) return found
    if (this.#known.size >= maxCached) this.#known.clear()
    const value = find()
    this.#known.set(key, value)
    return value
  }
}

/**
 * All prices of one snapshot of the catalog, built with it. Each is resolved when it is first looked up and kept as long as the snapshot,
 * for models have more names than a site's callers use.
 */
export class Prices {
  /** The operator's own entries. */
  readonly book: PriceBook
  readonly #source: PriceSource
  readonly #channels: ReadonlyMap<number, BuyingChannel>
  readonly #prices = new BoundedCache<Price | null>()
  readonly #entries = new BoundedCache<PriceEntry | null>()
  readonly #costs = new BoundedCache<ChannelCost | null>()
  /** Found by a walk over all channels, which waits for the first look-up. */
  #markets: ReadonlyMap<string, Market> | null = null

  readonly #pinned: PinnedPrices | undefined

  constructor(source: PriceSource, pinned?: PinnedPrices) {
    this.#source = source
    this.#pinned = pinned
    this.book = source.book ?? emptyPriceBook
    this.#channels = source.channels ?? new Map()
  }

  /** Returns the same prices, but for those that were pinned when work began. */
  withPinned(pinned: PinnedPrices): Prices {
    return new Prices({ ...this.#source, book: this.book }, pinned)
  }

  /** Returns the prices of the same options and channels with another book. */
  withBook(book: PriceBook): Prices {
    const next = new Prices({ ...this.#source, book })
    next.#markets = this.#markets
    return next
  }

  /** Returns the price of a model; null when none is known that a call can be charged by, and the caller does not accept that. */
  priceOf(model: string, query: PriceQuery): Price | null {
    const pinned = this.#pinned?.(model, query)
    if (pinned !== undefined) return pinned
    const { group, userGroup, upstreamModel = '', acceptsUnpriced = false, isOwnMachine = false } = query
    const key = `${model}\n${group}\n${userGroup}\n${upstreamModel}\n${acceptsUnpriced}\n${isOwnMachine}`
    return this.#prices.get(key, () => this.#findPrice(model, query))
  }

  /** Returns the sale price before any group's ratio; null when no price is known. */
  entryOf(model: string, upstreamModel = '', isOwnMachine = false): PriceEntry | null {
    if (isOwnMachine && !this.#isSet(model, upstreamModel)) return freeEntry
    return this.#entries.get(`${model}\n${upstreamModel}`, () =>
      resolvePrice(this.book, this.#source.options, this.#modelAt(model, upstreamModel)),
    )
  }

  /** Returns the list price of a model where it is bought; null where no list has one. */
  listOf(model: string): PriceEntry | null {
    return listEntry(model, { yuanRate: this.#source.options.ListPriceYuanRate, market: this.marketOf(model) })
  }

  /** Returns the vendor's price that the list price is made of; null: the general list's, or none. */
  listSourceOf(model: string): VendorPrice | null {
    return listSource(model, this.marketOf(model))
  }

  /** Returns the market in which all channels buy a model; null: there are several, or none has prices of its own. */
  marketOf(model: string): Market | null {
    this.#markets ??= saleMarkets(this.#channels.values())
    return this.#markets.get(model) ?? null
  }

  /** Returns what it costs at a channel; null when that is not known. */
  costOf(channelId: number, model: string, upstreamModel = model): ChannelCost | null {
    return this.#costs.get(`${channelId}\n${model}\n${upstreamModel}`, () =>
      this.#findCost(channelId, model, upstreamModel),
    )
  }

  #isSet(model: string, upstreamModel: string): boolean {
    return this.book.own(model) !== null || (upstreamModel !== '' && this.book.own(upstreamModel) !== null)
  }

  #modelAt(model: string, upstreamModel: string): PricedModel {
    return { model, upstreamModel, market: this.marketOf(model) }
  }

  #findPrice(model: string, query: PriceQuery): Price | null {
    const { options } = this.#source
    const { group, userGroup, upstreamModel = '' } = query
    const accepts = query.acceptsUnpriced === true || options.SelfUseModeEnabled
    const known = this.entryOf(model, upstreamModel, query.isOwnMachine)
    const entry =
      known ??
      (accepts
        ? resolvePrice(this.book, options, { ...this.#modelAt(model, upstreamModel), useCeilingPrice: true })
        : null)
    if (!entry) return null
    const names = upstreamModel === '' ? [model] : [upstreamModel, model]
    return new Price({
      entry,
      groupRatio: options.GroupRatio[group] ?? 1,
      userGroupRatio: options.GroupGroupRatio[userGroup]?.[group] ?? null,
      quotaPerUnit: options.QuotaPerUnit,
      assumed: known === null,
      modeRatio: (serviceTier) => serviceTierRatio(options.ServiceTierRatio, serviceTier, names),
    })
  }

  #findCost(channelId: number, model: string, upstreamModel: string): ChannelCost | null {
    const { options } = this.#source
    const own = this.book.cost(channelId, model) ?? this.book.cost(channelId, upstreamModel)
    const channel = this.#channels.get(channelId)
    const terms = { yuanRate: options.ListPriceYuanRate, market: channel ? marketOf(channel) : null }
    const list = listEntry(upstreamModel, terms) ?? listEntry(model, terms)
    const entry = own && list ? overlay(own, list) : (own ?? list)
    if (!entry) return null
    const factor = own ? null : this.book.factor(channelId)
    return {
      price: new Price({
        entry,
        groupRatio: factor ?? 1,
        userGroupRatio: null,
        quotaPerUnit: options.QuotaPerUnit,
        assumed: false,
        modeRatio: (serviceTier) => serviceTierRatio(options.ServiceTierRatio, serviceTier, [upstreamModel, model]),
      }),
      kind: own ? 'own' : factor === null ? 'list' : 'factor',
    }
  }
}
