import type { pricingRoutes } from '@tollgate/contract'

import type { BillingKind } from '../../../lib/text/price-entry/billing'

/** A model in the chosen group. */
export interface Offer extends pricingRoutes.PricingRow {
  /** Its name, the id of its table row. */
  readonly id: string
  readonly kind: BillingKind
  /** Price multiplier of the group; undefined where the group does not have the model. */
  readonly factor: number | undefined
}
