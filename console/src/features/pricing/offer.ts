import type { pricingRoutes } from '@tollgate/contract'

import type { BillingKind } from '../../lib/price-entry/billing'

/** A model in the chosen group. */
export interface Offer extends pricingRoutes.PricingRow {
  /** Its name, by which a row of the table is known. */
  readonly id: string
  readonly kind: BillingKind
  /** What the group multiplies prices by; undefined where the group does not have the model. */
  readonly factor: number | undefined
}
