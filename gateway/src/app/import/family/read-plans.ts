import { daySeconds } from '@tollgate/contract'
import { z } from 'zod'

import type { SourcePlan, SourceSubscription } from '../site-source'
import { readTable, type ReadableTable } from '../source/read-table'
import { decimal, flag, int, trimmed, value } from '../source/values'

const Plan = z.object({
  id: int,
  title: trimmed,
  subtitle: trimmed,
  price_amount: decimal,
  currency: trimmed,
  duration_unit: trimmed,
  duration_value: int,
  custom_seconds: int,
  enabled: flag,
  max_purchase_per_user: int,
  total_amount: int,
  quota_reset_period: trimmed,
  quota_reset_custom_seconds: int,
  upgrade_group: trimmed,
  /** Plans of before it had it fell back on the wallet. */
  allow_wallet_overflow: value.transform((stored) => stored === null || flag.parse(stored)),
})
type Plan = z.output<typeof Plan>

const Subscription = z.object({
  id: int,
  user_id: int,
  plan_id: int,
  amount_total: int,
  amount_used: int,
  start_time: int,
  end_time: int,
  status: trimmed,
  source: trimmed,
  next_reset_time: int,
  upgrade_group: trimmed,
  created_at: int,
})

/** Yields the plans of a site of new-api; others have none. */
export async function* readPlans(table: ReadableTable): AsyncGenerator<readonly SourcePlan[]> {
  for await (const rows of readTable(table, { table: 'subscription_plans', key: 'id', schema: Plan }))
    yield rows.map(planOf)
}

const planOf = (row: Plan): SourcePlan => ({
  id: row.id,
  name: row.title,
  description: row.subtitle,
  dollars: row.currency === '' || row.currency.toUpperCase() === 'USD' ? row.price_amount : null,
  term: termOf(row),
  quota: row.total_amount,
  period: periodOf(row),
  isOnSale: row.enabled,
  maxPerUser: row.max_purchase_per_user,
  usesWallet: row.allow_wallet_overflow,
  group: row.upgrade_group,
})

const hoursOfDay = 24

/** A term of days, months or years; null where it is of another length. */
function termOf({ duration_unit: unit, duration_value: count, custom_seconds: seconds }: Plan): SourcePlan['term'] {
  if (unit === 'day' || unit === 'month' || unit === 'year') return { length: count, unit }
  const days = unit === 'hour' ? count / hoursOfDay : unit === 'custom' ? seconds / daySeconds : 0
  return Number.isInteger(days) && days > 0 ? { length: days, unit: 'day' } : null
}

const periods: Readonly<Record<string, SourcePlan['period']>> = {
  daily: { span: 'day', seconds: 0 },
  weekly: { span: 'week', seconds: 0 },
  monthly: { span: 'month', seconds: 0 },
}

const periodOf = ({ quota_reset_period: period, quota_reset_custom_seconds: seconds }: Plan): SourcePlan['period'] =>
  period === 'custom' && seconds > 0
    ? { span: 'seconds', seconds }
    : (periods[period] ?? { span: 'always', seconds: 0 })

/** Yields the subscriptions that run. */
export async function* readSubscriptions(
  table: ReadableTable,
  nowSeconds: number,
): AsyncGenerator<readonly SourceSubscription[]> {
  for await (const rows of readTable(table, { table: 'user_subscriptions', key: 'id', schema: Subscription }))
    yield rows
      .filter(({ status, end_time: endsAt }) => status === 'active' && endsAt > nowSeconds)
      .map((row) => ({
        id: row.id,
        userId: row.user_id,
        planId: row.plan_id,
        startsAt: row.start_time,
        endsAt: row.end_time,
        isOrdered: row.source === 'order',
        rest: restOf(row, nowSeconds),
        group: row.upgrade_group,
      }))
}

/** What is left of its quota; null where it has no limit. What was used counts no more once the time to begin anew has passed. */
function restOf(
  { amount_total: total, amount_used: used, next_reset_time: resetsAt }: z.output<typeof Subscription>,
  nowSeconds: number,
): number | null {
  if (total <= 0) return null
  return resetsAt > 0 && resetsAt <= nowSeconds ? total : Math.max(total - used, 0)
}
