import { sql } from 'kysely'

import { recordInvitation, settleInvitation } from '../../accounts/users/invitations'
import { walletSpent } from '../../billing/plans/wallet-spent'
import type { Context } from '../../context'
import type { Job } from './job'
import { randomHex } from '../../platform/random'

const rowsAtOnce = 500

type Deps = Pick<Context, 'catalog' | 'clock' | 'database' | 'ledger' | 'random'>

/**
 * Pays rewards for invitations that waited until the invitee paid, or paid for a call. Checks a part of those that wait each time, as most
 * of them may wait for ever.
 */
export function settleInvitations(deps: Deps): Job {
  let after = 0
  return {
    name: 'settle-invitations',
    everyMs: 10_000,
    async run(signal) {
      const waiting = await nextWaiting(deps, after)
      after = waiting.length < rowsAtOnce ? 0 : (waiting.at(-1)?.invitee_id ?? 0)
      const isUseRequired = deps.catalog.current.options.InvitationRewardAfterUse
      for (const { is_in_use: isInUse, ...invitation } of waiting) {
        if (signal.aborted) return
        if (isUseRequired && !isInUse) continue
        const state = await settleInvitation(deps, invitation)
        const requestId = randomHex(deps.random, 16)
        if (state === 'rewarded') await recordInvitation(deps, requestId, invitation.invitee_id)
      }
    },
  }
}

async function nextWaiting({ database }: Deps, after: number) {
  const rows = await database.query
    .selectFrom('invitations')
    .innerJoin('users', 'users.id', 'invitations.invitee_id')
    .selectAll('invitations')
    .select(
      sql<number>`case when ${walletSpent} > 0 or exists (
        select 1 from credits where credits.user_id = users.id and credits.kind = 'top-up') then 1 else 0 end`.as(
        'is_in_use',
      ),
    )
    .where('invitations.state', '=', 'waiting')
    .where('users.deleted_at', 'is', null)
    .where('invitations.invitee_id', '>', after)
    .orderBy('invitations.invitee_id')
    .limit(rowsAtOnce)
    .execute()
  return rows.map((row) => ({ ...row, is_in_use: row.is_in_use === 1 }))
}
