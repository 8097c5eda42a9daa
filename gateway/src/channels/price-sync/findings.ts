import type { priceSyncRoutes } from '@tollgate/contract'
import { inPrices } from '@tollgate/contract/price-formula'
import { catalogPriceOf, isRetired, vendorPriceOf, type Market, type PriceEntry } from '@tollgate/models'

import type { Catalog, Channel } from '../catalog/catalog'
import { inDollars } from '../../billing/pricing/list-price'
import type { GatewayPrice } from './gateway-prices'
import { assessChange, type SyncRules } from './assess-change'
import type { ListedPrices } from './listed-prices'
import type { PresentPrices } from './present-prices'
import { priceDiff, type FieldChange } from './price-diff'

/** One field of one model that differs in a source, and what happens to it. */
export interface Finding {
  /** 0: the sale price. */
  readonly channelId: number
  readonly model: string
  readonly field: string
  readonly before: FieldChange['before']
  readonly after: FieldChange['after']
  readonly percent: number | null
  readonly state: 'waiting' | 'applied' | 'refused'
  readonly reason: priceSyncRoutes.ProposalReason
}

interface Deps {
  readonly present: PresentPrices
  readonly rules: SyncRules
  /** Where a model is bought, if in one market alone. */
  readonly marketOf: (model: string) => Market | null
  /** Yuan for one US dollar. */
  readonly yuanRate: number
}

/** Returns the models whose prices matter: those that channels serve, enabled or not, and those with an entry of their own. */
export function pricedModels({ channels }: Pick<Catalog, 'channels'>, present: PresentPrices): string[] {
  const served = [...channels.values()].flatMap(({ models }) => models)
  return [...new Set([...served, ...present.owned])].sort()
}

/**
 * Returns the differences between public lists and sale prices. Lists do not keep up with retired models, so those keep their prices, and
 * have no prices of regions, so models that are bought in one at its own price keep theirs.
 */
export function listFindings(models: readonly string[], listed: ListedPrices, today: string, deps: Deps): Finding[] {
  return models
    .filter((model) => !isRetired(model, today))
    .flatMap((model) => {
      const market = deps.marketOf(model)
      const sold = market && vendorPriceOf(market, model)
      if (sold && sold.confidence !== 'low') return []
      const reported = listed.priceOf(model) ?? (sold && inPrices(inDollars(sold, deps.yuanRate)))
      if (reported) return entryFindings({ channelId: 0, model, reported, isList: true }, deps)
      return catalogPriceOf(model) ? [refuseModel(0, model, 'absent')] : []
    })
}

/**
 * Returns the differences between the prices of the gateway behind a channel and the channel's costs, or the sale prices of what it
 * serves.
 */
export function gatewayFindings(
  channel: Pick<Channel, 'id' | 'models' | 'modelMapping'>,
  use: 'cost' | 'sale',
  prices: readonly GatewayPrice[],
  deps: Pick<Deps, 'present' | 'rules'>,
): Finding[] {
  const byName = new Map(prices.map((price) => [price.model, price]))
  const seen = new Set<string>()
  return channel.models.flatMap((served) => {
    const upstream = channel.modelMapping.get(served) ?? served
    const price = byName.get(upstream)
    const [channelId, model] = use === 'cost' ? [channel.id, upstream] : [0, served]
    if (!price || seen.has(model)) return []
    seen.add(model)
    if (price.refusal) return [refuseModel(channelId, model, price.refusal)]
    return entryFindings({ channelId, model, reported: price.entry, isList: false }, deps)
  })
}

interface ReportedPrice {
  readonly channelId: number
  readonly model: string
  readonly reported: PriceEntry
  readonly isList: boolean
}

function entryFindings(
  { channelId, model, reported, isList }: ReportedPrice,
  { present, rules }: Pick<Deps, 'present' | 'rules'>,
): Finding[] {
  const isOwn = present.isOwn(channelId, model)
  const changes = priceDiff(present.entryOf(channelId, model), reported, { isComplete: isList && !isOwn })
  return changes.map((change) => {
    const { field, before, after } = change
    return { channelId, model, field, before, after, ...assessChange(change, isOwn, rules) }
  })
}

const refuseModel = (channelId: number, model: string, reason: 'absent' | 'filler' | 'expression'): Finding => ({
  channelId,
  model,
  field: '',
  before: null,
  after: null,
  percent: null,
  state: 'refused',
  reason,
})
