import type { OptionValues, paymentRoutes } from '@tollgate/contract'

import { epay } from './epay/epay'
import { amountOf } from './price'
import type { PaymentProvider } from './provider'
import { stripe } from './stripe/stripe'

/** Every payment provider; the only list. */
const providers: readonly PaymentProvider[] = [epay, stripe]

export const providerOf = (id: string): PaymentProvider | undefined => providers.find((provider) => provider.id === id)

/** Returns every configured payment method, with amounts as users enter them. */
export const methodsOf = (options: OptionValues): readonly paymentRoutes.PaymentMethod[] =>
  providers.flatMap((provider) =>
    provider.methods(options).map((method) => ({
      ...method,
      min_topup: Math.max(1, amountOf(Math.max(method.min_topup, options.MinTopUp), options)),
      provider: provider.id,
    })),
  )
