import { isChargeable } from '@tollgate/contract/price-formula'
import { alwaysSearches } from '@tollgate/dialects'
import { limitsOf, modelOf, type PriceEntry } from '@tollgate/models'
import { descriptionOf, ownLoginFactor, takesOwnLogins } from '@tollgate/providers'

import type { Catalog, Channel } from '../../channels/catalog/catalog'
import type { Price } from '../../billing/pricing/price'
import type { ChannelCost } from '../../billing/pricing/prices'
import { priorityLevelsOf } from '../../channels/routing/priority-levels'
import type { Caller } from '../call'

/** What a model costs under one name, and how much it can write. */
interface CandidatePrice {
  /** The upstream's name for the model. */
  readonly upstreamModel: string
  readonly price: Price
  /** The longest response, where the caller sets no limit. */
  readonly maxOutputTokens: number
  /** The longest prompt. */
  readonly maxPromptTokens: number
  /** It may generate output that is charged and not sent, so a stream does not show its cost. */
  readonly hidesOutput: boolean
  /** A vendor that serves it may write prompts to its cache by default, and the price says what that costs. */
  readonly cachesByDefault: boolean
  /** The model searches the web for every response. */
  readonly alwaysSearches: boolean
}

type PricedChannel = Pick<Channel, 'id' | 'modelMapping' | 'provider' | 'setting'>

/** What the channels that may serve a call charge for it. In force for the whole call, whatever changes meanwhile. */
export interface CandidatePrices {
  /** One for each name that channels give the model. */
  readonly all: readonly CandidatePrice[]
  /** Channels without a price; they are not tried. */
  readonly unpriced: ReadonlySet<number>
  /** At least one of them can be charged by the use of a call alone. */
  readonly isChargeable: boolean
  /** Returns the price at a channel; null where it has none. */
  priceAt(channel: PricedChannel): Price | null
  /** Returns what the channel's vendor charges; null where that is not known. */
  costAt(channel: Pick<Channel, 'id' | 'modelMapping'>): ChannelCost | null
}

/** The model and caller to look up prices for. */
interface CandidateQuery {
  /** Without a channel's prefix. */
  readonly model: string
  /** As the caller names it. */
  readonly called: string
  readonly caller: Pick<Caller, 'account' | 'group' | 'pinnedChannelId' | 'ownLogin'>
}

/** Names come from clients, so the cache is bounded. */
const maxCached = 10_000

/** What was found under one catalog; a new snapshot begins with nothing. */
const pricesByCatalog = new WeakMap<Catalog, Map<string, CandidatePrices>>()

/** Returns what the channels that may serve a call charge. Cached: every call looks here. */
export function candidatePricesOf(query: CandidateQuery, catalog: Catalog): CandidatePrices {
  let all = pricesByCatalog.get(catalog)
  if (!all) pricesByCatalog.set(catalog, (all = new Map()))
  const { account, group, pinnedChannelId, ownLogin } = query.caller
  const { called, model } = query
  const name = `${called}\n${model}\n${group}\n${account.group}\n${account.acceptsUnpricedModels}\n${pinnedChannelId}\n${ownLogin === null}`
  const found = all.get(name)
  if (found) return found
  if (all.size >= maxCached) all.clear()
  const prices = findPrices(query, catalog)
  all.set(name, prices)
  return prices
}

function findPrices({ model, called, caller }: CandidateQuery, catalog: Catalog): CandidatePrices {
  const { options } = catalog
  const query = {
    group: caller.group,
    userGroup: caller.account.group,
    acceptsUnpriced: caller.account.acceptsUnpricedModels,
  }
  const prices = catalog.prices
  const mappedName = ({ modelMapping }: Pick<Channel, 'modelMapping'>) => modelMapping.get(model)
  const soldAt = memoizedBy(mappedName, (upstreamModel) => prices.priceOf(model, { ...query, upstreamModel }))
  const ownAt = memoizedBy(mappedName, (upstreamModel) =>
    prices.priceOf(model, { ...query, upstreamModel, isOwnMachine: true }),
  )
  const priceOf = (channel: PricedChannel) => (channel.provider.isFree ? ownAt : soldAt)(channel)
  const withLoginAt = memoizedBy(
    (channel: PricedChannel) => channel.id,
    (_, channel) => priceOf(channel)?.forOwnLogin(ownLoginFactor(channel)) ?? null,
  )
  const priceAt: CandidatePrices['priceAt'] = caller.ownLogin === null ? priceOf : withLoginAt
  const costAt = memoizedBy(
    (channel: Pick<Channel, 'id' | 'modelMapping'>) => channel.id,
    (id, { modelMapping }) => prices.costOf(id, model, modelMapping.get(model)),
  )
  const byName = new Map<string, CandidatePrice>()
  const unpriced = new Set<number>()
  for (const channel of channelsFor(called, caller, catalog)) {
    const name = channel.modelMapping.get(model) ?? model
    // Others do not take the login of the client.
    if (caller.ownLogin !== null && !takesOwnLogins(channel)) continue
    const price = priceAt(channel)
    if (price === null) {
      unpriced.add(channel.id)
      continue
    }
    const key = channel.provider.isFree ? `${name}\nfree` : `${name}${ownLoginKey(price)}`
    const known = byName.get(key) ?? candidatePriceOf(price, name, model, options.AssumedOutputTokens)
    const cachesByDefault =
      known.cachesByDefault || (pricesCacheWrites(price.entry) && vendorCachesByDefault(channel, name))
    byName.set(key, cachesByDefault === known.cachesByDefault ? known : { ...known, cachesByDefault })
  }
  const all = [...byName.values()]
  return { all, unpriced, isChargeable: all.some(({ price }) => isChargeable(price.entry.prices)), priceAt, costAt }
}

const ownLoginKey = ({ ownLoginFactor: factor }: Price): string => (factor === undefined ? '' : `\n${factor}`)

/** Returns a function that finds the value for each key once. */
function memoizedBy<Of, Key, Value>(keyOf: (of: Of) => Key, find: (key: Key, of: Of) => Value): (of: Of) => Value {
  const known = new Map<Key, Value>()
  return (of) => {
    const key = keyOf(of)
    const found = known.get(key)
    if (found !== undefined) return found
    const value = find(key, of)
    known.set(key, value)
    return value
  }
}

const pricesCacheWrites = ({ prices, ratios, tiers = [], modes = [] }: PriceEntry): boolean =>
  [
    prices,
    ratios,
    ...[...tiers, ...modes, ...modes.flatMap((mode) => mode.tiers ?? [])].map((part) => part.prices),
  ].some((set) => set?.cache_write_5m !== undefined)

/** Vendors of OpenAI's dialects choose themselves what they cache; others write what a request marks. */
function vendorCachesByDefault({ provider, keys, other }: Channel, model: string): boolean {
  const target = { model, key: keys[0]?.value ?? '', other }
  const description = descriptionOf(provider, { mode: 'chat', dialect: 'openai-chat' }, target)
  return description?.dialect === 'openai-chat' || description?.dialect === 'openai-responses'
}

/** Returns the channels that may serve a model for a caller. */
export function channelsFor(called: string, caller: CandidateQuery['caller'], catalog: Catalog): readonly Channel[] {
  if (caller.pinnedChannelId === null)
    return priorityLevelsOf(catalog, caller.group, called).flatMap(({ candidates }) =>
      candidates.map(({ channel }) => channel),
    )
  const channel = catalog.channels.get(caller.pinnedChannelId)
  return channel ? [channel] : []
}

/** For a model that the catalog does not know. */
const assumedWindow = 1_000_000

function promptWindow(names: readonly string[]): number {
  const limits = names.map(limitsOf).find((found) => found !== null)
  return limits?.inputTokens ?? limits?.contextTokens ?? assumedWindow
}

/** The upstream's name identifies a model more precisely than the one that callers know. */
function candidatePriceOf(price: Price, upstreamModel: string, model: string, assumedTokens: number): CandidatePrice {
  const names = [upstreamModel, model]
  const limits = names.map(limitsOf).find((found) => found !== null && found.outputTokens !== null)
  const entry = names.map(modelOf).find((found) => found !== null)
  return {
    upstreamModel,
    price,
    maxOutputTokens: limits?.outputTokens ?? assumedTokens,
    maxPromptTokens: promptWindow(names),
    hidesOutput: entry?.abilities.includes('reasoning') ?? true,
    cachesByDefault: false,
    alwaysSearches: names.some(alwaysSearches),
  }
}
