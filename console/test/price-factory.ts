import type { priceRoutes } from '@tollgate/contract'

/** A row of the operators' price table, at the list price. */
export const aPriceRow = (fields: Partial<priceRoutes.PriceRow> = {}): priceRoutes.PriceRow => ({
  model: 'big-1',
  owned_by: 'acme',
  list: { prices: { input: 2, output: 8 } },
  list_source: null,
  own: null,
  sale: { prices: { input: 2, output: 8 } },
  kind: 'tokens',
  mix: 3.5,
  list_mix: 3.5,
  channels: 2,
  cheapest: null,
  dearest: null,
  margin: null,
  spend: 0,
  reason: null,
  ...fields,
})
