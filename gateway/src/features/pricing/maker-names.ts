import type { pricingRoutes } from '@tollgate/contract'
import { makers } from '@tollgate/providers'

/** The makers of these models, by what a person calls them. */
export function makerNames(
  rows: readonly Pick<pricingRoutes.PricingRow, 'owned_by'>[],
  language: 'zh' | 'en',
): Record<string, string> {
  const occurring = new Set(rows.map(({ owned_by: id }) => id))
  const known = [...makers.values()].filter(({ id }) => occurring.has(id))
  return Object.fromEntries(known.map(({ id, name }) => [id, name[language]]))
}
