import type { planRoutes } from '@tollgate/contract'
import { daySeconds } from '@tollgate/contract'

import { timeMonthsLater } from '../../platform/time/calendar'

/** A renewal comes a little before the end of the term, so that no call falls between two terms. */
export const renewalSeconds = 60

interface Term {
  readonly length: number
  readonly unit: planRoutes.PlanUnit
}

/** Returns when a term ends that begins then, in Unix seconds: months and years later at the same time of the day. */
export function termEnd(startsAt: number, { length, unit }: Term, timeZone: string): number {
  if (unit === 'day') return startsAt + length * daySeconds
  return timeMonthsLater(startsAt, unit === 'year' ? 12 * length : length, timeZone)
}

interface PaidTerm {
  readonly price: number
  readonly starts_at: number
  readonly ends_at: number
}

/** Returns what is left of the price of a term, rounded down. */
export function restOf({ price, starts_at: startsAt, ends_at: endsAt }: PaidTerm, now: number): number {
  if (now <= startsAt) return price
  if (now >= endsAt) return 0
  return Number((BigInt(price) * BigInt(endsAt - now)) / BigInt(endsAt - startsAt))
}
