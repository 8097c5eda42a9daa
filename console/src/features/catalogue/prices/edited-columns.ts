import type { priceRoutes, PriceClass } from '@tollgate/contract'

/** Prices that are edited in the table itself. */
export const editedColumns = [
  'input',
  'output',
  'cache_read',
  'cache_write_5m',
] as const satisfies readonly PriceClass[]
export type EditedColumn = (typeof editedColumns)[number]

const unitClasses = {
  call: 'per_call',
  image: 'per_image',
  second: 'per_second',
  character: 'per_character',
} as const satisfies Partial<Record<priceRoutes.BillingKind, PriceClass>>

/** Returns the class that a column shows for a model: the first column has the unit price where it is not billed by tokens. */
export function classOfColumn(
  { kind }: Pick<priceRoutes.PriceRow, 'kind'>,
  column: EditedColumn,
): PriceClass | undefined {
  if (kind === 'tokens' || kind === 'unpriced') return column
  return column === 'input' ? unitClasses[kind] : undefined
}
