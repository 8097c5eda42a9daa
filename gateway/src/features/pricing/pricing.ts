import { pricingRoutes, type OptionValues } from '@tollgate/contract'

import { usableGroups } from '../../accounts/usable-groups'
import { handler, type Handler } from '../../http/handler'
import { pricingRows, type PriceLookup } from './pricing-rows'

const ownGroupDescription = { zh: '用户分组', en: 'Your group' } as const

/** The price list, by whatever knows the prices under the options in force. */
export const pricingHandlers = (pricesOf: (options: OptionValues) => PriceLookup): readonly Handler[] => [
  handler(pricingRoutes.pricing, (_input, { ctx, caller, language }) => {
    const { options, routes } = ctx.catalog.current
    const groups = usableGroups(options, caller?.group ?? null, ownGroupDescription[language])
    const entries = [...groups]
    return Promise.resolve({
      data: pricingRows(routes, groups, pricesOf(options)),
      beside: {
        group_ratio: Object.fromEntries(entries.map(([name, { ratio }]) => [name, ratio])),
        usable_group: Object.fromEntries(entries.map(([name, { description }]) => [name, description])),
      },
    })
  }),
]
