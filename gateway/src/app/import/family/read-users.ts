import { z } from 'zod'

import type { SourceIdentity, SourceUser } from '../site-source'
import { readTable, type ReadableTable } from '../source/read-table'
import { int, object, seconds, text, trimmed } from '../source/values'
import type { Lineage } from './lineage'

const User = z.object({
  id: int,
  username: trimmed,
  password: trimmed,
  display_name: trimmed,
  role: int,
  status: int,
  email: trimmed,
  github_id: trimmed,
  oidc_id: trimmed,
  wechat_id: trimmed,
  telegram_id: trimmed,
  linux_do_id: trimmed,
  lark_id: trimmed,
  discord_id: trimmed,
  access_token: trimmed,
  quota: int,
  used_quota: int,
  request_count: int,
  group: text,
  aff_code: trimmed,
  aff_count: int,
  aff_quota: int,
  aff_history: int,
  inviter_id: int,
  setting: object,
  created_at: seconds,
  deleted_at: seconds,
})
type User = z.output<typeof User>

const enabled = 1
/** One-api has this status in place of a time of deletion. */
const deleted = 3

/** Yields the users of a site, those of closed accounts too. */
export async function* readUsers(
  table: ReadableTable,
  lineage: Lineage,
  nowSeconds: number,
): AsyncGenerator<readonly SourceUser[]> {
  for await (const rows of readTable(table, { table: 'users', key: 'id', schema: User }))
    yield rows.map((row) => userOf(row, lineage, nowSeconds))
}

const userOf = (row: User, lineage: Lineage, nowSeconds: number): SourceUser => ({
  id: row.id,
  username: row.username,
  passwordHash: row.password,
  displayName: row.display_name,
  role: row.role,
  isEnabled: row.status === enabled,
  email: row.email,
  group: row.group.trim() || 'default',
  quota: row.quota,
  usedQuota: row.used_quota,
  requestCount: row.request_count,
  inviteCode: row.aff_code,
  invited: row.aff_count,
  purse: row.aff_quota,
  earned: row.aff_history,
  inviterId: row.inviter_id,
  accessToken: row.access_token,
  identities: identitiesOf(row, lineage),
  setting: row.setting,
  createdAt: row.created_at,
  deletedAt: row.deleted_at ?? (lineage === 'one-api' && row.status === deleted ? nowSeconds : null),
})

function identitiesOf(row: User, lineage: Lineage): SourceIdentity[] {
  const { github_id: github } = row
  // A login name, which its owner may give up and another take, does not identify anyone. New-api has had ids since 2026.
  const isGitHubId = lineage === 'new-api' && /^\d+$/.test(github)
  const all: readonly SourceIdentity[] = [
    isGitHubId
      ? { provider: 'github', subject: github }
      : { unknown: 'GitHub, by a login name instead of an id', subject: github },
    { provider: 'oidc', subject: row.oidc_id },
    { provider: 'wechat', subject: row.wechat_id },
    { provider: 'telegram', subject: row.telegram_id },
    { provider: 'linuxdo', subject: row.linux_do_id },
    { unknown: 'Lark', subject: row.lark_id },
    { unknown: 'Discord', subject: row.discord_id },
  ]
  return all.filter(({ subject }) => subject !== '')
}
