import type { pricingRoutes } from '@tollgate/contract'

type Row = pricingRoutes.PricingRow

/** A row of the price list; its entry corresponds to its ratios. */
export function aRow(fields: Partial<Row> = {}): Row {
  const row: Omit<Row, 'entry'> = {
    model_name: 'small-1',
    owned_by: '',
    quota_type: 0,
    model_ratio: 1,
    completion_ratio: 1,
    cache_ratio: 1,
    model_price: 0,
    enable_groups: ['default'],
    facts: null,
    released_on: null,
    retires_on: null,
    is_retired: false,
    ...fields,
  }
  return { ...row, entry: fields.entry ?? { prices: pricesOf(row) } }
}

function pricesOf(row: Pick<Row, 'quota_type' | 'model_ratio' | 'completion_ratio' | 'cache_ratio' | 'model_price'>) {
  if (row.quota_type === 1) return { per_call: row.model_price }
  const input = row.model_ratio * 2
  return { input, output: input * row.completion_ratio, cache_read: input * row.cache_ratio }
}
