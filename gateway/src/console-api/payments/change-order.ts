import { isWithinReach, type paymentRoutes, type RouteData, type RouteInput } from '@tollgate/contract'

import { standingOf } from '../../accounts/users/standing'
import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { applyEvent, type Applied } from '../../billing/payments/apply-event'
import { checkOrder } from '../../billing/payments/check-order'
import { continueOrder } from '../../billing/payments/create-order'
import type { PaymentStart } from '../../billing/payments/provider'
import { refundOrder } from '../../billing/payments/refund-order'
import { resolveProblem } from '../../billing/payments/resolve-problem'
import type { OrderRow } from '../../platform/store/tables'
import { oneOrder, orderRow } from './find-orders'

/** Returns what the audit log keeps of an order. */
const factsOf = ({
  status,
  paid_at,
  quota_credited,
  quota_taken,
  bonus_credited,
  bonus_taken,
  refunded_minor,
  problem,
}: OrderRow) => ({
  status,
  paid_at,
  quota_credited,
  quota_taken,
  bonus_credited,
  bonus_taken,
  refunded_minor,
  problem,
})

/** Records in the row of a call what happened to an order. */
export function auditOrder({ audit }: Pick<Call, 'audit'>, { before, after }: Applied): void {
  if (!before || !after) return
  audit.target('order', after.id, after.number)
  audit.recordChange(factsOf(before), factsOf(after))
}

/**
 * Queries the provider about an order of the caller's own, or of any user with the right to change orders.
 * @throws AppError `order.none`.
 */
export async function checkNow(
  number: string,
  call: Call<'user'>,
): Promise<RouteData<typeof paymentRoutes.checkOrder>> {
  const { ctx, caller, audit, requestId } = call
  const order = await orderRow(ctx, number)
  if (order.user_id !== caller.userId && !caller.grants.has('orders.write')) throw new AppError('order.none')
  const { outcome, applied } = await checkOrder(ctx, order, requestId)
  if (applied && applied.outcome !== 'repeated') {
    audit.read('order.check')
    auditOrder(call, applied)
  }
  return { outcome, status: applied?.after?.status ?? order.status }
}

/** Resolves with where the caller goes on to pay an order. @throws AppError the codes of `continueOrder`. */
export const continueOwn = (number: string, call: Call<'user'>): Promise<PaymentStart> =>
  continueOrder(call.ctx, {
    number,
    userId: call.caller.userId,
    requestId: call.requestId,
    onChange(applied) {
      call.audit.read('order.check')
      auditOrder(call, applied)
    },
  })

/**
 * Credits an order that the provider did not report. A paid one is left unchanged.
 * @throws AppError `order.none`, `auth.forbidden` for an order of a user out of the caller's reach.
 */
export async function completeByHand(number: string, call: Call<'user'>): Promise<paymentRoutes.OrderEntity> {
  const { ctx, caller, requestId } = call
  const order = await orderRow(ctx, number)
  await requireReach(order, call)
  const { minor, currency, merchant } = order
  const event = { id: `hand:${number}`, orderNumber: number, kind: 'paid', minor, currency, merchant } as const
  const report = { provider: order.provider, source: 'operator', requestId, payload: '' } as const
  auditOrder(call, await applyEvent(ctx, event, { ...report, operatorId: caller.userId }))
  return oneOrder(ctx, number)
}

/**
 * Refunds an order, wholly or in part.
 * @throws AppError `auth.forbidden` for an order of a user out of the caller's reach, and the codes of `refundOrder`.
 */
export async function refund(
  { trade_no: number, amount, is_paid_back: isPaidBack = false }: RefundBody,
  call: Call<'user'>,
): Promise<paymentRoutes.OrderEntity> {
  const { ctx, caller, requestId } = call
  await requireReach(await orderRow(ctx, number), call)
  auditOrder(call, await refundOrder(ctx, { number, amount, isPaidBack, operatorId: caller.userId, requestId }))
  return oneOrder(ctx, number)
}

/** Removes the mark from an order. @throws AppError `order.none`, `auth.forbidden` for an order of a user out of the caller's reach. */
export async function resolve(
  { trade_no: number, was_paid_back: wasPaidBack }: RouteInput<typeof paymentRoutes.resolveOrder>['body'],
  call: Call<'user'>,
): Promise<paymentRoutes.OrderEntity> {
  const { ctx, caller, requestId } = call
  await requireReach(await orderRow(ctx, number), call)
  auditOrder(call, await resolveProblem(ctx, { number, wasPaidBack, operatorId: caller.userId, requestId }))
  return oneOrder(ctx, number)
}

type RefundBody = RouteInput<typeof paymentRoutes.refundOrder>['body']

/** Quota is only given to lower ranks: no one but the super admin credits their own order. */
async function requireReach({ user_id: ownerId }: OrderRow, { ctx, caller }: Call<'user'>): Promise<void> {
  const owner = await ctx.database.query
    .selectFrom('users')
    .select(['role', 'grants'])
    .where('id', '=', ownerId)
    .executeTakeFirst()
  if (owner && !isWithinReach(caller.rank, standingOf(owner).rank)) throw new AppError('auth.forbidden')
}
