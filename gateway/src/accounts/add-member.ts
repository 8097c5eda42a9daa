import { logType, userStatus } from '@tollgate/contract'

import type { Context } from '../context'
import type { Transaction } from '../store/database'
import { insertUser, type NewUser } from './insert-user'
import { quotaText } from './quota-text'
import { userLog } from './user-log'

/** Who came in. */
export interface Member {
  readonly userId: number
  readonly username: string
  /** Quota that the site gives every new user. */
  readonly gift: number
}

type Parts = Pick<Context, 'catalog' | 'clock' | 'ledger' | 'random'>

/**
 * Add a user with the quota of a new one, in the transaction of what lets them in: a form, a mail, an account elsewhere. Call
 * `recordMember` after the commit.
 * @throws AppError `user.exists`.
 */
export async function addMember(
  { catalog, clock, ledger, random }: Parts,
  user: Omit<NewUser, 'createdAt'>,
  transaction: Transaction,
): Promise<Member> {
  const createdAt = Math.floor(clock.now() / 1000)
  const userId = await insertUser({ ...user, createdAt }, random, transaction)
  const gift = catalog.current.options.QuotaForNewUser
  if (gift > 0) {
    await ledger.credit({ id: `registration:${userId}`, userId, kind: 'registration', amount: gift }, transaction)
  }
  return { userId, username: user.username, gift }
}

/** Leave a row in the new user's log: what the site gave. */
export function recordMember({ catalog, clock, ledger }: Parts, requestId: string, { gift, ...user }: Member): void {
  if (gift <= 0) return
  const text = { code: 'log.registered', params: { quota: quotaText(gift, catalog.current.options) } } as const
  const createdAt = Math.floor(clock.now() / 1000)
  ledger.record(requestId, userLog({ createdAt, type: logType.system, ...user, text, details: { quota_change: gift } }))
}

/** The id of whoever has an invitation code; 0 where nobody has it, or the site has no invitations. */
export async function inviterOf(
  { catalog, database }: Pick<Context, 'catalog' | 'database'>,
  code: string,
): Promise<number> {
  if (code === '' || !catalog.current.options.AffEnabled) return 0
  const inviter = await database.query
    .selectFrom('users')
    .select('id')
    .where('aff_code', '=', code)
    .where('status', '=', userStatus.enabled)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return inviter?.id ?? 0
}
