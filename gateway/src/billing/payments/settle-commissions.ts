import { logType } from '@tollgate/contract'

import type { Context } from '../../context'
import { randomHex } from '../../platform/random'
import type { CommissionState } from '../../platform/store/tables/money'
import { userLog } from '../ledger/event-logs'
import { quotaText } from '../ledger/quota-text'
import { lockedOrder } from './apply-event'

type Deps = Pick<Context, 'catalog' | 'clock' | 'database' | 'ledger' | 'random'>

const rowsAtOnce = 100

/** Resolves with commissions whose day has come. Those of an invitation that is still to be rewarded wait for it. */
const dueCommissions = ({ database, clock }: Deps) =>
  database.query
    .selectFrom('commissions')
    .innerJoin('invitations', 'invitations.invitee_id', 'commissions.invitee_id')
    .innerJoin('users as invitee', 'invitee.id', 'commissions.invitee_id')
    .innerJoin('users as inviter', 'inviter.id', 'commissions.inviter_id')
    .select(['commissions.order_number', 'invitations.state', 'inviter.deleted_at', 'inviter.username'])
    .where('commissions.due_at', '<=', clock.seconds())
    .where((eb) => eb.or([eb('invitations.state', '!=', 'waiting'), eb('invitee.deleted_at', 'is not', null)]))
    .orderBy('commissions.due_at')
    .limit(rowsAtOnce)
    .execute()

/** Credits the commissions whose day has come. Those of an invitation that brought nothing, or of an inviter who is gone, are dropped. */
export async function settleCommissions(deps: Deps, signal: AbortSignal): Promise<void> {
  for (;;) {
    const due = await dueCommissions(deps)
    for (const { order_number: number, state, deleted_at: inviterDeletedAt, username } of due) {
      if (signal.aborted) return
      const isEarned = state === 'rewarded' && inviterDeletedAt === null
      const settled = await end(deps, number, isEarned ? 'settled' : 'dropped')
      if (settled) record(deps, { ...settled, username })
    }
    if (due.length < rowsAtOnce) return
  }
}

interface Settled {
  readonly userId: number
  readonly amount: number
}

/** Resolves with what was credited; null where nothing was. */
const end = ({ database, ledger }: Deps, number: string, state: CommissionState): Promise<Settled | null> =>
  database.query.transaction().execute(async (transaction) => {
    // What happens to the order meanwhile comes before or after.
    await lockedOrder(transaction, number)
    const ended = await transaction
      .updateTable('commissions')
      .set({ state, due_at: null, credits: 1 })
      .where('order_number', '=', number)
      .where('state', '=', 'pending')
      .returning(['inviter_id', 'amount', 'taken'])
      .executeTakeFirst()
    if (!ended || state !== 'settled') return null
    const { inviter_id: userId, amount: promised, taken } = ended
    const amount = promised - taken
    if (amount === 0) return null
    const credit = { id: `commission:${number}`, userId, kind: 'commission', amount, detail: number } as const
    await ledger.credit(credit, transaction)
    return { userId, amount }
  })

function record(
  { catalog, clock, ledger, random }: Deps,
  { userId, username, amount }: Settled & { username: string },
) {
  const text = { code: 'log.commission', params: { quota: quotaText(amount, catalog.current.options) } } as const
  const createdAt = clock.seconds()
  const details = { quota_change: amount }
  ledger.record(randomHex(random, 16), userLog({ createdAt, type: logType.system, userId, username, text, details }))
}
