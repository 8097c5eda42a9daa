import type { userRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import type { UserRow } from '../../platform/store/tables'
import { ownersOfFactors } from '../factors/held-factors'
import { identityColumns } from '../identities/identities'
import { standingOf } from './standing'

/** Columns of a response: nothing that could be used to sign in is even read. */
export const entityColumns = [
  'id',
  'username',
  'display_name',
  'role',
  'grants',
  'status',
  'group',
  'used_quota',
  'request_count',
  'aff_count',
  'aff_quota',
  'aff_history_quota',
  'inviter_id',
  'email',
  'setting',
  'created_at',
  'deleted_at',
] as const satisfies readonly (keyof UserRow)[]

type EntityRow = Pick<UserRow, (typeof entityColumns)[number]>

/** Who reads a user: only the owner sees where the own webhooks go. */
type Reader = 'owner' | 'operator'

/** Resolves with users in the form that is returned, with what they own now and the accounts they sign in with. */
export async function userEntities(
  rows: readonly EntityRow[],
  { database, ledger }: Pick<Context, 'database' | 'ledger'>,
  reader: Reader = 'operator',
): Promise<userRoutes.UserEntity[]> {
  const ids = rows.map(({ id }) => id)
  const [balances, identities, owners] = await Promise.all([
    ledger.balanceOf(ids),
    identityColumns(database.query, ids),
    ownersOfFactors(database.query, ids),
  ])
  return rows.map((row) => ({
    ...userEntity(row, balances.get(row.id) ?? 0),
    setting: shownSetting(row.setting, reader),
    ...identities(row.id),
    has_second_factor: owners.has(row.id),
  }))
}

function userEntity({ deleted_at: deletedAt, ...row }: EntityRow, quota: number) {
  return {
    ...row,
    grants: [...standingOf(row).grants],
    quota,
    quota_read: quota,
    email: row.email ?? '',
    DeletedAt: deletedAt === null ? null : new Date(deletedAt * 1000).toISOString(),
  }
}

/** Returns the setting JSON without the secret that signs the user's webhooks. What follows the host of their address may be a token. */
function shownSetting(setting: string, reader: Reader): string {
  try {
    const parsed: unknown = JSON.parse(setting)
    if (typeof parsed !== 'object' || parsed === null) return '{}'
    const url = reader === 'operator' && 'webhook_url' in parsed ? URL.parse(String(parsed.webhook_url)) : null
    return JSON.stringify({
      ...parsed,
      ...(url && { webhook_url: `${url.protocol}//${url.host}/******` }),
      webhook_secret: undefined,
    })
  } catch {
    return '{}'
  }
}
