import type { dashboardRoutes } from '@tollgate/contract'

import { formatTime } from '../../lib/text/format'

/** Figures computed from sums. Pure. */

/** Returns the share of failed attempts, 0 to 1. */
export const errorShare = ({ count, errors }: { readonly count: number; readonly errors: number }): number =>
  count + errors === 0 ? 0 : errors / (count + errors)

/** Returns the share of prompt tokens read from a cache, 0 to 1; undefined where there were none. */
export const cacheShare = (sums: {
  readonly prompt_tokens: number
  readonly cached_tokens: number
}): number | undefined => (sums.prompt_tokens === 0 ? undefined : sums.cached_tokens / sums.prompt_tokens)

/** Returns what is left of the calls' price after their cost at the vendor; undefined where no such cost is known. */
export const marginOf = (sums: { readonly sold: number; readonly cost: number } | undefined) =>
  sums && sums.sold + sums.cost > 0
    ? { quota: sums.sold - sums.cost, share: sums.sold === 0 ? undefined : 1 - sums.cost / sums.sold }
    : undefined

const farAway = 999

/** Returns how many days the balance lasts at the range's rate; undefined when nothing is spent or it lasts for years. */
export function daysLeft(balance: number, spent: number, days: number): number | undefined {
  if (spent <= 0) return undefined
  const left = Math.floor(Math.max(0, balance) / (spent / days))
  return left > farAway ? undefined : left
}

/** Returns the relative growth; undefined when the earlier value is 0. */
export const growth = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before

/** Returns the label of a bucket: 11-21 07:00 for an hour, 11-21 for a day or a week. */
export const timeLabel = (unixSeconds: number, step: dashboardRoutes.Granularity): string =>
  formatTime(unixSeconds).slice(5, step === 'hour' ? 16 : 10)
