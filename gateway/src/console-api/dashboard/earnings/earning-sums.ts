import type { earningRoutes } from '@tollgate/contract'

import type { EarningSum } from '../../../billing/analytics/query'

type Sums = earningRoutes.EarningSums

export const noEarnings: Sums = {
  count: 0,
  quota: 0,
  sold: 0,
  cost: 0,
  unpriced: 0,
  prompt_tokens: 0,
  cached_tokens: 0,
  saved: 0,
}

export const addEarnings = (one: Sums, other: Sums): Sums => ({
  count: one.count + other.count,
  quota: one.quota + other.quota,
  sold: one.sold + other.sold,
  cost: one.cost + other.cost,
  unpriced: one.unpriced + other.unpriced,
  prompt_tokens: one.prompt_tokens + other.prompt_tokens,
  cached_tokens: one.cached_tokens + other.cached_tokens,
  saved: one.saved + other.saved,
})

/** Returns stored sums in the words of the API. */
export const earningsOf = (sum: Omit<EarningSum, 'key' | 'part'>): Sums => ({
  count: sum.count,
  quota: sum.quota,
  sold: sum.sold,
  cost: sum.vendor_cost,
  unpriced: sum.unpriced,
  prompt_tokens: sum.prompt_tokens,
  cached_tokens: sum.cached_tokens,
  saved: sum.cost_saved,
})

/** Returns what a row is sorted by; null where there is no such figure, which comes last. */
export const figureOf: Readonly<Record<Exclude<earningRoutes.EarningSort, 'name'>, (sums: Sums) => number | null>> = {
  count: ({ count }) => count,
  quota: ({ quota }) => quota,
  cost: (sums) => (isKnown(sums) ? sums.cost : null),
  profit: (sums) => (isKnown(sums) ? sums.sold - sums.cost : null),
  margin: ({ sold, cost }) => (sold > 0 ? 1 - cost / sold : null),
  unpriced: ({ unpriced }) => unpriced,
  cached: ({ prompt_tokens: prompt, cached_tokens: cached }) => (prompt > 0 ? cached / prompt : null),
  saved: ({ saved }) => saved,
}

/** The cost of at least one call is known. */
const isKnown = ({ count, unpriced }: Sums): boolean => count > unpriced
