import type { OptionValues, paymentRoutes } from '@tollgate/contract'

import { amountOf, discounts, groupRatio } from '../../billing/payments/price'
import { methodsOf } from '../../billing/payments/providers'

/** Returns how a user of a group can top up. */
export function topUpInfo(options: OptionValues, group: string): paymentRoutes.TopUpInfo {
  const methods = methodsOf(options)
  const least = methods.map((method) => method.min_topup)
  return {
    enable_online_topup: methods.length > 0,
    pay_methods: [...methods],
    min_topup: least.length > 0 ? Math.min(...least) : amountOf(options.MinTopUp, options),
    group_ratio: groupRatio(options, group),
    amount_options: options.AmountOptions.map((dollars) => amountOf(dollars, options)),
    discount: Object.fromEntries(discounts(options)),
    topup_link: options.TopUpLink,
  }
}
