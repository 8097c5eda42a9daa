import { pricingRoutes } from '@tollgate/contract'

import { usableGroups } from '../../accounts/callers/usable-groups'
import { makerNames } from '../../channels/catalog/maker-names'
import { aliasedModels, aliasesIn } from '../../channels/routing/aliases'
import type { Catalog } from '../../channels/catalog/catalog'
import { dayOf } from '../../channels/catalog/suggested-models'
import { handler, type Handler } from '../../http/handler'
import { pricingRows } from './pricing-rows'

export const pricingHandlers: readonly Handler[] = [
  handler(pricingRoutes.pricing, (_input, { ctx, caller, language }) => {
    const { options, routes } = ctx.catalog.current
    const groups = usableGroups(options, caller?.group ?? null, language)
    const entries = [...groups]
    const prices = ctx.catalog.current.prices
    const rows = pricingRows(
      routes,
      groups,
      ({ model, upstreamModel, isOwnMachine }) => prices.entryOf(model, upstreamModel, isOwnMachine),
      dayOf(ctx.clock),
    )
    return Promise.resolve({
      data: rows,
      envelopeFields: {
        group_ratio: Object.fromEntries(entries.map(([name, { ratio }]) => [name, ratio])),
        usable_group: Object.fromEntries(entries.map(([name, { description }]) => [name, description])),
        vendors: makerNames(
          rows.map(({ owned_by: maker }) => maker),
          language,
        ),
        aliases: aliasesOf(ctx.catalog.current, [...groups.keys()]),
      },
    })
  }),
]

/** Returns the aliases of these groups with the models that they may lead to there. */
function aliasesOf(catalog: Catalog, groups: readonly string[]) {
  const names = [...new Set(groups.flatMap((group) => aliasesIn(catalog, group)))].sort()
  return names.map((name) => ({
    name,
    models: [...new Set(groups.flatMap((group) => aliasedModels(catalog, group, name)))],
  }))
}
