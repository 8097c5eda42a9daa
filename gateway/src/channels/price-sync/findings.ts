import type { priceSyncRoutes } from '@tollgate/contract'
import { inPrices } from '@tollgate/contract/price-formula'
import { catalogPriceOf, isRetired, priceIn, vendorPriceOf, type Market, type PriceEntry } from '@tollgate/models'

import type { Catalog, Channel } from '../catalog/catalog'
import { inDollars } from '../../billing/pricing/list-price'
import type { GatewayPrice } from './gateway-prices'
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

/** What public lists have for models, under any of their names. */
interface ListedPrices {
  readonly count: number
  priceOf(model: string): PriceEntry | null
}

/** Both lists as they are read; undefined: not used. */
export interface ListDocuments {
  readonly liteLlm: unknown
  readonly modelsDev: unknown
}

/**
 * Merges the lists in the same way as the shipped catalog. Both were just read, so neither is the older one. The readers are loaded with
 * the first lists.
 * @throws TypeError when a list has another shape.
 */
export async function listedPrices({ liteLlm, modelsDev }: ListDocuments, today: string): Promise<ListedPrices> {
  const { priceLines, readLiteLlmPrices, readModelsDevPrices } = await import('@tollgate/models/lists')
  const listings = [
    ...(liteLlm === undefined ? [] : readLiteLlmPrices(liteLlm)),
    ...(modelsDev === undefined ? [] : readModelsDevPrices(modelsDev)),
  ]
  const lines = priceLines(listings, { liteLlm: today, modelsDev: today })
  const byName = new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line]))
  return { count: byName.size, priceOf: (model) => priceIn(byName, model) }
}

/** What an operator allows without approval. */
export interface SyncRules {
  /** Percent by which a price may rise. */
  readonly maxRise: number
  readonly appliesFalls: boolean
}

interface Verdict {
  readonly state: 'waiting' | 'applied' | 'refused'
  readonly reason: priceSyncRoutes.ProposalReason
  readonly percent: number | null
}

/** In percent. A price that falls to a tenth or less is more likely an error of the list, for instance in its unit, than the truth. */
const deepestFall = -90

/** Decides what happens to a change. `isOwn`: an operator set this price by hand, so only an operator changes it. */
export function assessChange(change: FieldChange, isOwn: boolean, { maxRise, appliesFalls }: SyncRules): Verdict {
  const { before, after, refusal } = change
  const percent = percentOf(before, after)
  if (refusal) return { state: 'refused', reason: refusal, percent }
  if (before === null || before === 0) return { state: 'waiting', reason: 'new', percent }
  if (percent === null) return { state: 'waiting', reason: 'structure', percent }
  if (isOwn) return { state: 'waiting', reason: 'own', percent }
  if (percent < 0)
    return { state: appliesFalls && percent > deepestFall ? 'applied' : 'waiting', reason: 'fall', percent }
  return { state: percent <= maxRise ? 'applied' : 'waiting', reason: 'rise', percent }
}

function percentOf(before: FieldChange['before'], after: FieldChange['after']): number | null {
  if (typeof before !== 'number' || typeof after !== 'number' || before === 0) return null
  return Number((((after - before) / before) * 100).toFixed(4))
}
