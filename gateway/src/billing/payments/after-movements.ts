import { logType } from '@tollgate/contract'

import { quotaText } from '../ledger/quota-text'
import { userLog } from '../ledger/event-logs'
import type { Context } from '../../context'
import { moneyText } from './currency'
import type { Movement } from './movement'

type Deps = Pick<Context, 'catalog' | 'clock' | 'ledger'>

/**
 * After the commit: writes rows to the logs of those whose balances moved, and waits until workers no longer spend what was clawed back. It
 * must not fail where the database is away: a provider's repeated report has no news, so the rows would never be written.
 */
export async function afterMovements(
  { catalog, clock, ledger }: Deps,
  requestId: string,
  movements: readonly Movement[],
): Promise<void> {
  for (const { of, order, userId, username, text, amount, minor } of movements) {
    const quota = quotaText(Math.abs(amount), catalog.current.options)
    const money = `${moneyText(minor, order.currency)} ${order.currency}`
    const row = userLog({
      createdAt: clock.seconds(),
      type: of === 'commission' ? logType.system : logType.topUp,
      userId,
      username,
      // The order of an invitee and its price are not the inviter's to see.
      text: { code: text, params: of === 'order' ? { quota, money } : { quota } },
      details: { quota_change: amount, ...(of !== 'commission' && { order: order.number }) },
    })
    ledger.record(requestId, row)
  }
  const cut = new Set(movements.filter(({ amount }) => amount < 0).map(({ userId }) => userId))
  for (const userId of cut) await ledger.whenRecalled('user', userId)
}
