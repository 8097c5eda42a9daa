import type { pricingRoutes } from '@tollgate/contract'

/** A row of the price list, for tests. */
export const aRow = (fields: Partial<pricingRoutes.PricingRow> = {}): pricingRoutes.PricingRow => ({
  model_name: 'small-1',
  owned_by: '',
  quota_type: 0,
  model_ratio: 1,
  completion_ratio: 1,
  cache_ratio: 1,
  model_price: 0,
  enable_groups: ['default'],
  facts: null,
  ...fields,
})
