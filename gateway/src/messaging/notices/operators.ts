import { grantsOf, role, userStatus, type Grant } from '@tollgate/contract'

import { storedGrants } from '../../accounts/users/standing'
import type { Queries, Transaction } from '../../platform/store/database'
import { noticeSettings } from '../../accounts/users/user-settings'

/** An administrator who is notified of events. */
export interface Operator {
  readonly id: number
  /** Empty: none. */
  readonly email: string
  readonly language: 'zh' | 'en'
}

/** Resolves with the administrators who have a grant. */
export async function operatorsWith(query: Queries | Transaction, grant: Grant): Promise<Operator[]> {
  const rows = await query
    .selectFrom('users')
    .select(['id', 'email', 'setting', 'role', 'grants'])
    .where('role', '>=', role.admin)
    .where('status', '=', userStatus.enabled)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows
    .filter(({ role: userRole, grants }) => grantsOf(userRole, storedGrants(grants)).includes(grant))
    .map(({ id, email, setting }) => ({ id, email: email ?? '', language: noticeSettings(setting).language }))
}
