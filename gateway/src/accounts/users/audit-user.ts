import type { AuditNote } from '../audit/audit-log'
import type { Context } from '../../context'

/** The properties of a user that the audit log compares. */
interface Compared {
  readonly userId: number
  /** The call may change the balance; otherwise it is left out, as the user's spending meanwhile would be recorded. */
  readonly hasQuota?: boolean
}

interface Audited {
  readonly ctx: Pick<Context, 'database' | 'ledger'>
  readonly audit: AuditNote
}

/** Records in the audit log what an action changes about a user. */
export async function auditUser<Result>(
  { ctx, audit }: Audited,
  compared: Compared,
  act: () => Promise<Result>,
): Promise<Result> {
  const before = await factsOf(ctx, compared)
  if (before) audit.target('user', compared.userId, before.username)
  const result = await act()
  audit.recordChange(before ?? {}, (await factsOf(ctx, compared)) ?? {})
  return result
}

async function factsOf({ database, ledger }: Audited['ctx'], { userId, hasQuota = false }: Compared) {
  const row = await database.query
    .selectFrom('users')
    .select(['username', 'display_name', 'role', 'grants', 'status', 'group', 'email', 'deleted_at'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!row) return null
  return { ...row, ...(hasQuota && { quota: (await ledger.balanceOf([userId])).get(userId) ?? 0 }) }
}

/** Records in the audit log that a password was set, without the password. */
export const passwordSet = { password: 'set' } as const
