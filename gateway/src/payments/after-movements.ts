import { logType, type PhraseCode } from '@tollgate/contract'

import { quotaText } from '../accounts/quota-text'
import { userLog } from '../accounts/users/user-log'
import type { Context } from '../context'
import type { OrderRow } from '../store/tables'
import { moneyText } from './currency'

/** Quota that an order moved. */
export interface Movement {
  readonly order: OrderRow
  readonly text: Extract<PhraseCode, `log.top_up_${string}` | 'log.topped_up'>
  /** Quota; a negative amount was clawed back. */
  readonly amount: number
  /** The money behind it. */
  readonly minor: number
}

type Parts = Pick<Context, 'catalog' | 'clock' | 'database' | 'ledger'>

/** After the commit: writes rows to the log of the order's owner, and waits until workers no longer spend what was clawed back. */
export async function afterMovements(
  { catalog, clock, database, ledger }: Parts,
  requestId: string,
  movements: readonly Movement[],
): Promise<void> {
  const [first] = movements
  if (!first) return
  const owner = await database.query
    .selectFrom('users')
    .select('username')
    .where('id', '=', first.order.user_id)
    .executeTakeFirst()
  for (const { order, text, amount, minor } of movements) {
    const params = {
      quota: quotaText(Math.abs(amount), catalog.current.options),
      money: `${moneyText(minor, order.currency)} ${order.currency}`,
    }
    const row = userLog({
      createdAt: Math.floor(clock.now() / 1000),
      type: logType.topUp,
      userId: order.user_id,
      username: owner?.username ?? '',
      text: { code: text, params },
      details: { quota_change: amount, order: order.number },
    })
    ledger.record(requestId, row)
  }
  if (movements.some(({ amount }) => amount < 0)) await ledger.whenRecalled('user', first.order.user_id)
}
