import { daySeconds, hourSeconds } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { reportEventAlone } from '../../platform/telemetry/events/report-event'
import type { ApplyDeps } from './apply-event'
import { moneyText } from './currency'
import { openRefunds, type OpenRefund } from './open-refunds'
import type { PaymentDeps } from './provider'
import { retryRefund } from './refund-order'
import type { OrderRow } from '../../platform/store/tables'
import { randomHex } from '../../platform/random'

type Deps = ApplyDeps & PaymentDeps & Pick<Context, 'database' | 'random'>

/** Afterwards the order stays marked, and operators decide. */
const pursuedForSeconds = 7 * daySeconds
/** An outage of the provider is often over by then. */
const quietSeconds = hourSeconds

/**
 * Asks providers about refunds whose response was lost. Operators are told of those that stay uncertain; their orders are marked until it is
 * known.
 */
export async function pollPendingRefunds(deps: Deps, signal: AbortSignal): Promise<void> {
  const { query } = deps.database
  const now = deps.clock.seconds()
  const orders = await query
    .selectFrom('orders')
    .selectAll()
    .where('problem', '=', 'refund')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('order_events')
          .select('order_events.id')
          .whereRef('order_events.order_id', '=', 'orders.id')
          .where('order_events.kind', '=', 'refund')
          .where('order_events.outcome', 'in', ['uncertain', 'asked'])
          .where('order_events.created_at', '>', now - pursuedForSeconds),
      ),
    )
    .orderBy('id')
    .execute()
  for (const order of orders) {
    const open = await query.transaction().execute((transaction) => openRefunds(transaction, order, now))
    for (const refund of open) {
      if (signal.aborted) return
      if (!refund.isInProgress && refund.createdAt > now - pursuedForSeconds) await pollRefund(deps, order, refund, now)
    }
  }
}

async function pollRefund(deps: Deps, { number, currency }: OrderRow, refund: OpenRefund, now: number): Promise<void> {
  const { minor, createdAt } = refund
  const requestId = randomHex(deps.random, 16)
  const outcome = await retryRefund(deps, { number, minor, requestId }).catch((error: unknown) => {
    // An operator repeats it in this moment.
    if (error instanceof AppError && error.code === 'order.refund_under_way') return null
    throw error
  })
  if (outcome !== 'uncertain' || createdAt > now - quietSeconds) return
  const facts = { name: number, amount: `${moneyText(minor, currency)} ${currency}` }
  await reportEventAlone(deps, { kind: 'refund-uncertain', subject: `${number}:${refund.count}`, facts })
}
