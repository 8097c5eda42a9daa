import { sql, type ExpressionBuilder } from 'kysely'

import type { Database, Transaction } from '../../platform/store/database'
import type { Tables } from '../../platform/store/tables'
import { leasedOfPeriod } from '../ledger/window/standings'

interface PlanOf {
  readonly subscriptionId: number
  readonly planId: number
}

const periodsOfPlan = ({ kind }: Database, transaction: Transaction, planId: number, after: number) =>
  transaction
    .selectFrom('window_periods')
    .select(['id', 'window_id', 'subject_id', 'free'])
    .where('window_id', 'in', (eb) =>
      eb.selectFrom('windows').select('id').where('owner', '=', 'plan').where('ref', '=', String(planId)),
    )
    .where('ends_at', '>', after)
    .orderBy('id')
    // In the order in which charges lock them.
    .$if(kind === 'postgres', (periods) => periods.forUpdate())

/**
 * Notes what is used of the periods in which the term of a subscription begins: its earlier terms used it. Limits that never reset end with the
 * earlier term where this one is paid for: each has them once.
 */
export async function noteUseBefore(
  database: Database,
  transaction: Transaction,
  { subscriptionId, planId, startsAt, isPaid }: PlanOf & { readonly startsAt: number; readonly isPaid: boolean },
): Promise<void> {
  const periods = await periodsOfPlan(database, transaction, planId, startsAt)
    .where('subject_id', '=', subscriptionId)
    .execute()
  if (periods.length === 0) return
  const ids = periods.map(({ id }) => id)
  await transaction
    .updateTable('window_periods')
    .set({ used_before: sql<number>`capacity - free - ${leasedOfPeriod}` })
    .where('id', 'in', ids)
    .execute()
  if (!isPaid) return
  const endless = (eb: ExpressionBuilder<Tables, 'window_periods'>) =>
    eb.selectFrom('windows').select('id').where('span', '=', 'always').where('measure', '!=', 'concurrent')
  await transaction
    .updateTable('window_periods')
    .set({ ends_at: startsAt })
    .where('id', 'in', ids)
    .where('window_id', 'in', endless)
    .execute()
}

/**
 * Lets a subscription go on with the present periods of the user's earlier subscriptions of a plan, of each limit with the one of which most
 * is used: who begins a plan without a price again begins no limit again.
 */
export async function keepPeriods(
  database: Database,
  transaction: Transaction,
  { subscriptionId, planId, userId, now }: PlanOf & { readonly userId: number; readonly now: number },
): Promise<void> {
  const periods = await periodsOfPlan(database, transaction, planId, now)
    .where('subject_id', 'in', (eb) =>
      eb
        .selectFrom('subscriptions')
        .select('id')
        .where('user_id', '=', userId)
        .where((one) =>
          one.or([
            one('id', '=', subscriptionId),
            one('state', '!=', 'active'),
            // It went on with another plan.
            one('plan_id', '!=', planId),
          ]),
        ),
    )
    .execute()
  for (const ofWindow of Map.groupBy(periods, ({ window_id: id }) => id).values()) {
    if (ofWindow.some(({ subject_id: id }) => id === subscriptionId)) continue
    const mostUsed = ofWindow.reduce((one, other) => (other.free < one.free ? other : one))
    await transaction
      .updateTable('window_periods')
      .set({ subject_id: subscriptionId })
      .where('id', '=', mostUsed.id)
      .execute()
  }
}
