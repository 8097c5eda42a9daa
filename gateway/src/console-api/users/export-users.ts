import { role, userStatus, type userRoutes } from '@tollgate/contract'

import { entityColumns, userEntities } from '../../accounts/users/user-entity'
import { csvFile, isoTime, moneyColumns, type CsvColumn } from '../../http/response/csv-file'
import type { FileResult } from '../../http/response/file-response'
import type { Call } from '../../http/handler'
import type { Language } from '../../http/language'
import { readableUsers, type UserFilter } from '../../accounts/users/known-users'

/** Rows per query: a few milliseconds, for which a call in the same process may have to wait. */
const listSize = 500

/** Returns all users within the filters that the caller may read, as a file. */
export function exportUsers(filter: UserFilter, call: Call<'user'>): Promise<FileResult> {
  return csvFile('users', columns, eachUser(filter, call), call)
}

async function* eachUser(filter: UserFilter, { ctx, caller }: Call<'user'>) {
  const isReadable = await readableUsers(ctx, caller, filter)
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await ctx.database.query
      .selectFrom('users')
      .select(entityColumns)
      .where((eb) => eb.and([eb('id', '<', before), isReadable(eb)]))
      .orderBy('id', 'desc')
      .limit(listSize)
      .execute()
    yield await userEntities(rows, ctx)
    const last = rows.at(-1)
    if (!last || rows.length < listSize) return
    before = last.id
  }
}

type Names = Readonly<Record<Language, string>>

const roleNames: ReadonlyMap<number, Names> = new Map([
  [role.user, { en: 'User', zh: '普通用户' }],
  [role.admin, { en: 'Administrator', zh: '管理员' }],
  [role.root, { en: 'Super administrator', zh: '超级管理员' }],
])

const statusNames: ReadonlyMap<number, Names> = new Map([
  [userStatus.enabled, { en: 'Active', zh: '已激活' }],
  [userStatus.disabled, { en: 'Banned', zh: '已封禁' }],
])
const closed: Names = { en: 'Closed', zh: '已注销' }

const statusOf = ({ DeletedAt: closedAt, status }: userRoutes.UserEntity) =>
  closedAt === null ? statusNames.get(status) : closed

const columns: readonly CsvColumn<userRoutes.UserEntity>[] = [
  { name: { en: 'ID', zh: 'ID' }, cell: ({ id }) => id },
  { name: { en: 'Username', zh: '用户名' }, cell: ({ username }) => username },
  { name: { en: 'Display name', zh: '显示名称' }, cell: (user) => user.display_name },
  { name: { en: 'Email', zh: '邮箱' }, cell: ({ email }) => email },
  { name: { en: 'Group', zh: '分组' }, cell: ({ group }) => group },
  {
    name: { en: 'Role', zh: '角色' },
    cell: (user, language) => roleNames.get(user.role)?.[language] ?? String(user.role),
  },
  {
    name: { en: 'Status', zh: '状态' },
    cell: (user, language) => statusOf(user)?.[language] ?? String(user.status),
  },
  ...moneyColumns<userRoutes.UserEntity>({ en: 'Balance', zh: '余额' }, ({ quota }) => quota),
  ...moneyColumns<userRoutes.UserEntity>({ en: 'Used', zh: '已用' }, (user) => user.used_quota),
  { name: { en: 'Requests', zh: '调用次数' }, cell: (user) => user.request_count },
  { name: { en: 'Invited users', zh: '邀请人数' }, cell: (user) => user.aff_count },
  ...moneyColumns<userRoutes.UserEntity>(
    { en: 'Earned by invitations', zh: '邀请收益' },
    (user) => user.aff_history_quota,
  ),
  { name: { en: 'Invited by (ID)', zh: '邀请人 ID' }, cell: (user) => user.inviter_id || '' },
  { name: { en: 'Registered (UTC)', zh: '注册时间 (UTC)' }, cell: (user) => isoTime(user.created_at) },
  { name: { en: 'Closed (UTC)', zh: '注销时间 (UTC)' }, cell: (user) => user.DeletedAt ?? '' },
]
