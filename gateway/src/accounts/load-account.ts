import { z } from 'zod'

import type { Database } from '../store/database'
import type { TokenRow, UserRow } from '../store/tables'
import type { Account, ApiKey } from './account-cache'

const accountColumns = ['id', 'username', 'role', 'status', 'group', 'deleted_at', 'setting'] as const

/** A user, deleted ones included; null when there never was one. */
export async function loadAccount({ query }: Database, userId: number): Promise<Account | null> {
  const row = await query.selectFrom('users').select(accountColumns).where('id', '=', userId).executeTakeFirst()
  return row ? accountOf(row) : null
}

/** The token with this key and its user; null when there is none or it was deleted. */
export async function loadApiKey(database: Database, keyHash: string): Promise<ApiKey | null> {
  const token = await database.query
    .selectFrom('tokens')
    .selectAll()
    .where('key_hash', '=', keyHash)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!token) return null
  const account = await loadAccount(database, token.user_id)
  return account && apiKeyOf(token, account)
}

function accountOf(row: Pick<UserRow, (typeof accountColumns)[number]>): Account {
  const setting = settingOf(row.setting)
  return {
    id: row.id,
    username: row.username,
    role: row.role,
    status: row.status,
    group: row.group,
    isDeleted: row.deleted_at !== null,
    acceptsUnpricedModels: setting.accept_unset_model_ratio_model,
    isIpLogged: setting.show_ip_in_logs,
  }
}

const flag = z.boolean().catch(false)
const Setting = z.object({ accept_unset_model_ratio_model: flag, show_ip_in_logs: flag })

function settingOf(text: string) {
  try {
    return Setting.parse(JSON.parse(text))
  } catch {
    return { accept_unset_model_ratio_model: false, show_ip_in_logs: false }
  }
}

function apiKeyOf(token: TokenRow, account: Account): ApiKey {
  return {
    id: token.id,
    name: token.name,
    status: token.status,
    group: token.group,
    expiresAt: token.expired_time,
    isUnlimited: token.unlimited_quota === 1,
    models: token.model_limits_enabled === 1 ? new Set(entries(token.model_limits, ',')) : null,
    allowedIps: entries(token.allow_ips, '\n'),
    rateLimit:
      token.rate_limit_enabled === 1
        ? {
            periodSeconds: token.rate_limit_period,
            count: token.rate_limit_count,
            success: token.rate_limit_success,
          }
        : null,
    account,
  }
}

const entries = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
