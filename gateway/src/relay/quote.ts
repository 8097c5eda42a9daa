import { AppError } from '../app-error'
import type { Catalog } from '../catalog/catalog'
import { estimateQuota } from '../metering/estimate'
import type { Price } from '../metering/price'
import { priceTableOf } from '../metering/price-table'
import { tiersOf } from '../routing/tiers'
import type { Caller } from './call'
import type { CallView } from './view'

export interface Quote {
  /** In force for the whole call, whatever changes meanwhile. */
  readonly price: Price
  /** Quota to hold. */
  readonly estimate: number
}

/**
 * What a call may cost. `model` is without a channel's prefix.
 * @throws AppError `model.unpriced`.
 */
export function quoteOf(model: string, view: CallView, caller: Caller, catalog: Catalog): Quote {
  const { options } = catalog
  const price = priceTableOf(options).priceOf(model, {
    group: caller.group,
    userGroup: caller.account.group,
    upstreamModel: likelyUpstreamModel(model, view, caller, catalog),
    acceptsUnpriced: caller.account.acceptsUnpricedModels,
  })
  if (!price) throw new AppError('model.unpriced', { params: { model } })
  const most = view.maxOutputTokens === null ? null : view.maxOutputTokens * view.choices
  return { price, estimate: estimateQuota(price, view.promptTokens, most, options.PreConsumedQuota) }
}

/** What the first in line would ask for: it tells the price of a name that has none itself. */
function likelyUpstreamModel(model: string, view: CallView, caller: Caller, catalog: Catalog): string | undefined {
  const channel =
    caller.pinnedChannelId === null
      ? tiersOf(catalog, caller.group, view.model)[0]?.candidates[0]?.channel
      : catalog.channels.get(caller.pinnedChannelId)
  return channel?.modelMapping.get(model)
}
