import { daySeconds } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Queries } from '../../platform/store/database'
import type { SubscriptionRow } from '../../platform/store/tables'
import { capacityOf } from '../ledger/window/limit-window'
import { leasedOfPeriod } from '../ledger/window/standings'
import { restOf } from './term'

/** What is left of the price of a term: the smaller of what is left of its time and of its limits. */
export interface Rest {
  readonly amount: number
  readonly byTime: number
  /** By the limit of which least is unused; null where the plan has none that lasts a day or longer. */
  readonly byUse: { readonly limit: string; readonly amount: number } | null
}

type Term = Pick<SubscriptionRow, 'id' | 'plan_id' | 'price' | 'paid' | 'starts_at' | 'ends_at'>

/** Resolves with what is left of the present term of a subscription, no more than was paid for it. */
export async function findRest(query: Queries, term: Term, now: number): Promise<Rest> {
  const byTime = Math.min(term.paid, restOf(term, now))
  if (byTime === 0) return { amount: 0, byTime, byUse: null }
  const byUse = (await usedLimits(query, term))
    .map(({ limit, used, allowed }) => ({
      limit,
      amount: Math.min(term.paid, computeUnused(term.price, used, allowed)),
    }))
    .reduce<Rest['byUse']>((min, one) => (min && min.amount <= one.amount ? min : one), null)
  return { amount: Math.min(byTime, byUse?.amount ?? byTime), byTime, byUse }
}

/** A limit of a plan over a term. */
interface UsedLimit {
  readonly limit: string
  readonly used: number
  /** What all of its periods in the term allow. */
  readonly allowed: bigint
}

/** Resolves with what a term used of the limits of its plan that last a day or longer. */
async function usedLimits(query: Queries, { id, plan_id: planId, ...term }: Term): Promise<UsedLimit[]> {
  const windows = await query
    .selectFrom('windows')
    .select(['name', 'span', 'seconds', 'limit_amount', 'grace_percent'])
    .select((eb) =>
      eb
        .selectFrom('window_periods')
        .select(sql<number>`coalesce(sum(capacity - free - used_before - ${leasedOfPeriod}), 0)`.as('sum'))
        .whereRef('window_id', '=', 'windows.id')
        .where('subject_id', '=', id)
        .where('window_periods.ends_at', '>', term.starts_at)
        .as('used'),
    )
    .where('owner', '=', 'plan')
    .where('ref', '=', String(planId))
    .where('measure', '!=', 'concurrent')
    .orderBy('windows.id')
    .execute()
  return windows.flatMap(({ name, span, seconds, limit_amount: limit, grace_percent: grace, used }) => {
    const length = span === 'seconds' ? seconds : (lengths[span] ?? 0)
    if (length < daySeconds) return []
    const periods = Math.max(1, Math.round((term.ends_at - term.starts_at) / length))
    return [{ limit: name, used: Math.max(0, used ?? 0), allowed: BigInt(capacityOf(limit, grace)) * BigInt(periods) }]
  })
}

/** Seconds of a period that may last a day or longer; a month is a twelfth of a year on average. */
const lengths: Partial<Record<string, number>> = {
  day: daySeconds,
  week: 7 * daySeconds,
  month: (daySeconds * 365.2425) / 12,
  range: Infinity,
  always: Infinity,
}

const computeUnused = (price: number, used: number, allowed: bigint): number =>
  BigInt(used) >= allowed ? 0 : Number((BigInt(price) * (allowed - BigInt(used))) / allowed)
