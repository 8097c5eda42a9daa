import { daySeconds, hourSeconds } from '@tollgate/contract'

import type { Context } from '../../context'
import type { OrderRow } from '../../platform/store/tables'
import { applyEvent, type ApplyDeps } from './apply-event'
import { checkOrder } from './check-order'
import { firstQuerySeconds } from './create-order'
import type { PaymentDeps } from './provider'
import { randomHex } from '../../platform/random'

type Deps = ApplyDeps & PaymentDeps & Pick<Context, 'random'>

const atOnce = 50
/** Also after it expired: money that arrived late is found, too. */
const queryPeriodSeconds = 2 * daySeconds
/** Bank debits and vouchers take some days; later results are reported. */
const inProgressPeriodSeconds = 15 * daySeconds
const maxPauseSeconds = 6 * hourSeconds

/** Queries providers about pending orders, with growing pauses, and closes those that were not paid in time. */
export async function pollPendingOrders(deps: Deps, signal: AbortSignal): Promise<void> {
  const now = deps.clock.seconds()
  const due = await deps.database.query
    .selectFrom('orders')
    .selectAll()
    .where('ask_at', '<=', now)
    .orderBy('ask_at')
    .limit(atOnce)
    .execute()
  for (const order of due) {
    if (signal.aborted) return
    await pollOrder(deps, order, now)
  }
}

async function pollOrder(deps: Deps, order: OrderRow, now: number): Promise<void> {
  const requestId = randomHex(deps.random, 16)
  // Before the query: a provider that blocks the worker, or crashes it, is not queried again at once.
  await plan(deps, order, now)
  const { outcome, isInProgress } = await checkOrder(deps, order, requestId)
  if (isInProgress && order.created_at + inProgressPeriodSeconds > now)
    return plan(deps, order, now, inProgressPeriodSeconds)
  if (outcome === 'paid' || outcome === 'failed' || order.expires_at > now || order.status !== 'pending') return
  const event = { id: `expired:${order.number}`, orderNumber: order.number, kind: 'expired', minor: 0 } as const
  const { currency, merchant, provider } = order
  await applyEvent(deps, { ...event, currency, merchant }, { provider, source: 'answer', requestId, payload: '' })
  if (order.created_at + queryPeriodSeconds > now) await plan(deps, order, now)
}

/** Doubles the pause each time. */
async function plan(
  { database }: Deps,
  { id, asked, created_at: createdAt }: OrderRow,
  now: number,
  periodSeconds = queryPeriodSeconds,
): Promise<void> {
  const pause = Math.min(firstQuerySeconds * 2 ** Math.min(asked + 1, 20), maxPauseSeconds)
  const isOver = createdAt + periodSeconds <= now
  await database.query
    .updateTable('orders')
    .set((eb) => ({ ask_at: isOver ? null : now + pause, asked: eb('asked', '+', 1) }))
    .where('id', '=', id)
    .where('paid_at', '=', 0)
    .execute()
}
