import type { userRoutes } from '@tollgate/contract'

import type { Ledger } from '../ledger/ledger'
import type { UserRow } from '../store/tables'

/** Columns an answer is made of: nothing that could be used to sign in is even read. */
export const entityColumns = [
  'id',
  'username',
  'display_name',
  'role',
  'status',
  'group',
  'used_quota',
  'request_count',
  'aff_count',
  'aff_quota',
  'aff_history_quota',
  'inviter_id',
  'github_id',
  'oidc_id',
  'wechat_id',
  'telegram_id',
  'linux_do_id',
  'email',
  'setting',
  'created_at',
  'deleted_at',
] as const satisfies readonly (keyof UserRow)[]

type EntityRow = Pick<UserRow, (typeof entityColumns)[number]>

/** Users as they are answered, with what they own now. */
export async function userEntities(rows: readonly EntityRow[], ledger: Ledger): Promise<userRoutes.UserEntity[]> {
  const balances = await ledger.balanceOf(rows.map(({ id }) => id))
  return rows.map((row) => userEntity(row, balances.get(row.id) ?? 0))
}

function userEntity({ deleted_at: deletedAt, ...row }: EntityRow, quota: number): userRoutes.UserEntity {
  return {
    ...row,
    quota,
    quota_read: quota,
    github_id: row.github_id ?? '',
    oidc_id: row.oidc_id ?? '',
    wechat_id: row.wechat_id ?? '',
    telegram_id: row.telegram_id ?? '',
    linux_do_id: row.linux_do_id ?? '',
    email: row.email ?? '',
    setting: withoutSecrets(row.setting),
    DeletedAt: deletedAt === null ? null : new Date(deletedAt * 1000).toISOString(),
  }
}

/** The setting JSON without what signs the user's webhooks. */
function withoutSecrets(setting: string): string {
  try {
    const parsed: unknown = JSON.parse(setting)
    if (typeof parsed !== 'object' || parsed === null) return '{}'
    return JSON.stringify({ ...parsed, webhook_secret: undefined })
  } catch {
    return '{}'
  }
}
