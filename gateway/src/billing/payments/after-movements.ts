import { logType } from '@tollgate/contract'

import { quotaText } from '../ledger/quota-text'
import { userLog } from '../ledger/event-logs'
import type { Context } from '../../context'
import { moneyText } from './currency'
import type { Movement } from './movement'

type Deps = Pick<Context, 'catalog' | 'clock' | 'ledger'>

/**
 * After the commit: writes rows to the log of the order's owner, and waits until workers no longer spend what was clawed back. It must not
 * fail where the database is away: a provider's repeated report has no news, so the rows would never be written.
 */
export async function afterMovements(
  { catalog, clock, ledger }: Deps,
  requestId: string,
  movements: readonly Movement[],
): Promise<void> {
  const [first] = movements
  if (!first) return
  for (const { order, username, text, amount, minor } of movements) {
    const params = {
      quota: quotaText(Math.abs(amount), catalog.current.options),
      money: `${moneyText(minor, order.currency)} ${order.currency}`,
    }
    const row = userLog({
      createdAt: clock.seconds(),
      type: logType.topUp,
      userId: order.user_id,
      username,
      text: { code: text, params },
      details: { quota_change: amount, order: order.number },
    })
    ledger.record(requestId, row)
  }
  if (movements.some(({ amount }) => amount < 0)) await ledger.whenRecalled('user', first.order.user_id)
}
