import { readFields, UserSetting, type ResponseCacheChoice } from '@tollgate/contract'

import type { Database } from '../../platform/store/database'
import { plansOfUser, type AccountPlan } from '../../billing/plans/account-plans'
import { windowsOfOwner } from '../../billing/ledger/window/read-windows'
import type { TokenRow, UserRow, WindowRow } from '../../platform/store/tables'
import { standingOf } from '../users/standing'

/** A user as a model call needs it. */
export interface Account {
  readonly id: number
  readonly username: string
  readonly rank: number
  /** Whether a key of the account may name the channel that serves a call. */
  readonly mayPinChannel: boolean
  readonly status: number
  readonly group: string
  readonly isDeleted: boolean
  /** The user's setting JSON, parsed. */
  readonly acceptsUnpricedModels: boolean
  readonly isIpLogged: boolean
  /** Subscriptions that run. */
  readonly plans: readonly AccountPlan[]
  /** The user's own; without any those of the group apply. */
  readonly windows: readonly WindowRow[]
}

/** An API key as a model call needs it. */
export interface ApiKey {
  readonly id: number
  readonly name: string
  readonly status: number
  readonly group: string
  readonly expiresAt: number
  readonly isUnlimited: boolean
  /** Null: every model. */
  readonly models: ReadonlySet<string> | null
  /** Empty: every address. */
  readonly allowedIps: readonly string[]
  readonly rateLimit: { readonly periodSeconds: number; readonly count: number; readonly success: number } | null
  readonly windows: readonly WindowRow[]
  /** Whether its calls use the response cache. */
  readonly responseCache: ResponseCacheChoice
  readonly account: Account
}

const accountColumns = ['id', 'username', 'role', 'grants', 'status', 'group', 'deleted_at', 'setting'] as const

/** Resolves with a user, deleted ones included; null when there never was one. */
export async function loadAccount({ query }: Database, userId: number): Promise<Account | null> {
  const row = await query.selectFrom('users').select(accountColumns).where('id', '=', userId).executeTakeFirst()
  if (!row) return null
  return {
    ...accountOf(row),
    plans: await plansOfUser(query, row.id),
    windows: await windowsOfOwner(query, 'user', String(row.id)),
  }
}

/**
 * Resolves with the token of this key and its user; null when there is none or it was deleted. The key before a rotation is
 * found until its grace ends, and expires then.
 */
export async function loadApiKey(database: Database, keyHash: string, now: number): Promise<ApiKey | null> {
  const token = await liveTokens(database).where('key_hash', '=', keyHash).executeTakeFirst()
  if (token) return withAccount(database, token, token.expired_time)
  const rotated = await liveTokens(database)
    .where('previous_key_hash', '=', keyHash)
    .where('previous_key_until', '>', now)
    .executeTakeFirst()
  return rotated ? withAccount(database, rotated, earlier(rotated.expired_time, rotated.previous_key_until)) : null
}

/** Resolves with a token and its user: by id, or the newest of a user's tokens with that name or id; null when there is none. */
export async function loadToken(database: Database, name: string, userId?: number): Promise<ApiKey | null> {
  const id = /^\d{1,15}$/.test(name) ? Number(name) : 0
  const found = liveTokens(database)
  const token = await (
    userId === undefined
      ? found.where('id', '=', id)
      : found
          .where('user_id', '=', userId)
          .where((eb) => eb.or([eb('name', '=', name), eb('id', '=', id)]))
          .orderBy('id', 'desc')
  )
    .limit(1)
    .executeTakeFirst()
  return token ? withAccount(database, token, token.expired_time) : null
}

const liveTokens = ({ query }: Database) => query.selectFrom('tokens').selectAll().where('deleted_at', 'is', null)

const earlier = (expiredTime: number, until: number) => (expiredTime === -1 ? until : Math.min(expiredTime, until))

async function withAccount(database: Database, token: TokenRow, expiresAt: number): Promise<ApiKey | null> {
  const account = await loadAccount(database, token.user_id)
  const windows = await windowsOfOwner(database.query, 'token', String(token.id))
  return account && { ...apiKeyOf(token, account), expiresAt, windows }
}

function accountOf(row: Pick<UserRow, (typeof accountColumns)[number]>): Omit<Account, 'plans' | 'windows'> {
  const setting = readFields(CallSetting, row.setting)
  const { rank, grants } = standingOf(row)
  return {
    id: row.id,
    username: row.username,
    rank,
    mayPinChannel: grants.has('channels.write'),
    status: row.status,
    group: row.group,
    isDeleted: row.deleted_at !== null,
    acceptsUnpricedModels: setting.accept_unset_model_ratio_model,
    isIpLogged: setting.show_ip_in_logs,
  }
}

const CallSetting = UserSetting.pick({ accept_unset_model_ratio_model: true, show_ip_in_logs: true })

function apiKeyOf(token: TokenRow, account: Account): Omit<ApiKey, 'expiresAt' | 'windows'> {
  return {
    id: token.id,
    name: token.name,
    status: token.status,
    group: token.group,
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
    responseCache: token.response_cache,
    account,
  }
}

const entries = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
