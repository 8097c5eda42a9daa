import type { paymentRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import { canContinue } from '../../billing/payments/create-order'
import { moneyText } from '../../billing/payments/currency'
import { refundableOf } from '../../billing/payments/refund-order'
import type { OrderRow } from '../../platform/store/tables'

type Deps = Pick<Context, 'catalog' | 'clock' | 'database'>

/** Resolves with orders as their owner sees them. */
export async function ownOrders(parts: Deps, rows: readonly OrderRow[]): Promise<paymentRoutes.OwnOrder[]> {
  const plans = await planNames(parts, rows)
  return rows.map((row) => ownOrder(parts, row, plans))
}

const ownOrder = (parts: Deps, row: OrderRow, plans: ReadonlyMap<number, string>): paymentRoutes.OwnOrder => ({
  trade_no: row.number,
  provider: row.provider,
  method: row.method,
  status: row.status,
  money: moneyText(row.minor, row.currency),
  currency: row.currency,
  refunded: moneyText(row.refunded_minor, row.currency),
  quota: row.quota,
  quota_taken: row.quota_taken,
  bonus: row.paid_at > 0 ? row.bonus_credited : row.bonus,
  bonus_taken: row.bonus_taken,
  plan: plans.get(row.plan_id) ?? '',
  created_at: row.created_at,
  paid_at: row.paid_at,
  expires_at: row.expires_at,
  is_under_way: row.status === 'pending' && row.under_way_at > 0,
  can_continue: canContinue(row, parts),
})

/** Resolves with orders as operators see them. */
export async function orderEntities(parts: Deps, rows: readonly OrderRow[]): Promise<paymentRoutes.OrderEntity[]> {
  const names = await namesOf(
    parts,
    rows.flatMap(({ user_id: owner, completed_by: operator }) => [owner, operator]),
  )
  const plans = await planNames(parts, rows)
  return rows.map((row) => ({
    ...ownOrder(parts, row, plans),
    id: row.id,
    user_id: row.user_id,
    username: names.get(row.user_id) ?? '',
    provider_trade_no: row.provider_number,
    problem: row.problem,
    completed_by: names.get(row.completed_by) ?? '',
    refundable: moneyText(refundableOf(row), row.currency),
  }))
}

/** Removed plans keep their names. */
async function planNames({ database }: Deps, rows: readonly OrderRow[]): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(rows.map(({ plan_id: id }) => id))].filter((id) => id > 0)
  if (ids.length === 0) return new Map()
  const plans = await database.query.selectFrom('plans').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(plans.map(({ id, name }) => [id, name]))
}

async function namesOf({ database }: Deps, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const userIds = [...new Set(ids)].filter((id) => id > 0)
  if (userIds.length === 0) return new Map()
  const rows = await database.query.selectFrom('users').select(['id', 'username']).where('id', 'in', userIds).execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}
