import { regionOf, vendorPrices, type Market } from '@tollgate/models'

/** The part of a channel that decides what its vendor charges. */
export interface BuyingChannel {
  readonly provider: { readonly id: string; readonly baseUrl: string | null }
  readonly baseUrl: string
  readonly models: readonly string[]
}

/** Returns where a channel buys: its address decides the region. */
export function marketOf({ provider, baseUrl }: Omit<BuyingChannel, 'models'>): Market {
  return { vendor: provider.id, region: regionOf(provider.id, baseUrl || (provider.baseUrl ?? '')) }
}

/**
 * Returns the market of each model that is bought in one alone. A model that channels buy in several has one sale price all the same: the
 * general one.
 */
export function saleMarkets(channels: Iterable<BuyingChannel>): ReadonlyMap<string, Market> {
  const found = new Map<string, Market | null>()
  for (const channel of channels) {
    const market = findMarket(marketOf(channel))
    for (const model of channel.models) {
      const other = found.get(model)
      found.set(model, other === undefined || other === market ? market : null)
    }
  }
  const single = new Map<string, Market>()
  for (const [model, market] of found) if (market) single.set(model, market)
  return single
}

/** Returns the same object for the same market, and null for one without prices of its own. */
function findMarket({ vendor, region }: Market): Market | null {
  return pricedMarkets().get(`${vendor} ${region}`) ?? null
}

let priced: ReadonlyMap<string, Market> | null = null
const pricedMarkets = (): ReadonlyMap<string, Market> =>
  (priced ??= new Map(vendorPrices().map(({ vendor, region }) => [`${vendor} ${region}`, { vendor, region }])))
