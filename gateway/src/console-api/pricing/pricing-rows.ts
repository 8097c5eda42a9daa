import { pricingRoutes } from '@tollgate/contract'
import { datesOf, isRetired, modelOf, type PriceEntry } from '@tollgate/models'
import { makerOf } from '@tollgate/providers'

import type { UsableGroup } from '../../accounts/callers/usable-groups'
import type { Catalog } from '../../channels/catalog/catalog'
import { entryInPrices, wirePrice } from '../../billing/pricing/price-view'

/** Returns the sale price of a model before any group's ratio, as a call is charged by it; null when no price is known. */
export type PriceLookup = (model: ServedModel) => PriceEntry | null

/**
 * Returns one row for each model that is served in one of these groups, sorted by name. A model without a price is left out: a call of it
 * is refused, so any number would mislead. `today` is `YYYY-MM-DD`.
 */
export function pricingRows(
  routes: Catalog['routes'],
  groups: ReadonlyMap<string, UsableGroup>,
  priceOf: PriceLookup,
  today: string,
): pricingRoutes.PricingRow[] {
  const rows: pricingRoutes.PricingRow[] = []
  for (const [name, served] of [...servedModels(routes, groups)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const entry = priceOf(served)
    if (entry) rows.push({ ...rowOf(name, entry, served), ...endOf(served.model, today) })
  }
  return rows
}

interface ServedModel {
  /** Without the channel's prefix: prices use this name. */
  readonly model: string
  /** The name that its first channel maps it to, whose price it has unless it has one of its own. */
  readonly upstreamModel: string | undefined
  readonly groups: string[]
  /** It runs on the operator's own machine. */
  readonly isOwnMachine: boolean
}

function servedModels(routes: Catalog['routes'], groups: ReadonlyMap<string, UsableGroup>) {
  const served = new Map<string, ServedModel>()
  for (const group of groups.keys()) {
    for (const [name, tiers] of routes.get(group) ?? []) {
      const known = served.get(name)
      const first = tiers[0]?.candidates[0]
      const model = first?.model ?? name
      const isOwnMachine = first?.channel.provider.isFree === true
      if (known) known.groups.push(group)
      else
        served.set(name, {
          model,
          upstreamModel: first?.channel.modelMapping.get(model),
          groups: [group],
          isOwnMachine,
        })
    }
  }
  return served
}

type Dates = Pick<pricingRoutes.PricingRow, 'released_on' | 'retires_on' | 'is_retired'>

function endOf(model: string, today: string): Dates {
  const { releasedOn, retiresOn } = datesOf(model)
  return { released_on: releasedOn, retires_on: retiresOn, is_retired: isRetired(model, today) }
}

function rowOf(
  name: string,
  entry: PriceEntry,
  { model, groups }: ServedModel,
): Omit<pricingRoutes.PricingRow, keyof Dates> {
  const price = wirePrice(entry)
  const perCall = price.kind === 'per-call'
  return {
    model_name: name,
    owned_by: makerOf(model)?.id ?? '',
    quota_type: perCall ? pricingRoutes.quotaType.call : pricingRoutes.quotaType.volume,
    model_ratio: perCall ? 0 : price.ratios.model,
    completion_ratio: perCall ? 0 : price.ratios.completion,
    cache_ratio: perCall ? 0 : price.ratios.cacheRead,
    model_price: perCall ? price.usd : 0,
    enable_groups: groups,
    entry: entryInPrices(entry),
    facts: factsOf(model),
  }
}

function factsOf(model: string): pricingRoutes.ModelFacts | null {
  const known = modelOf(model)
  if (!known) return null
  return {
    kind: known.kind,
    context_tokens: known.contextTokens ?? known.inputTokens,
    output_tokens: known.outputTokens,
    input: [...known.input],
    output: [...known.output],
    abilities: [...known.abilities],
  }
}
