import { backgroundPlatforms, type OptionValues } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Payer } from '../../billing/ledger/ledger'
import type { Transaction } from '../../platform/store/database'

/**
 * Refuses a call in the background when as many as allowed run for its user or key. Called in the transaction of its hold, which has
 * locked the balance: two calls cannot both take the last place.
 * @throws AppError `background.calls`.
 */
export async function requireRoom(
  { userId, tokenId }: Payer,
  { BackgroundUserCalls: ofUser, BackgroundTokenCalls: ofToken }: OptionValues,
  transaction: Transaction,
): Promise<void> {
  if (ofUser === 0 && ofToken === 0) return
  const open = await transaction
    .selectFrom('holds')
    .innerJoin('tasks', 'tasks.public_id', 'holds.id')
    .select('holds.token_id')
    .where('holds.user_id', '=', userId)
    .where('tasks.platform', 'in', backgroundPlatforms)
    .execute()
  refuse(open.length, ofUser)
  refuse(open.filter(({ token_id: id }) => id === tokenId).length, ofToken)
}

function refuse(count: number, limit: number): void {
  if (limit > 0 && count >= limit) throw new AppError('background.calls', { params: { limit } })
}
