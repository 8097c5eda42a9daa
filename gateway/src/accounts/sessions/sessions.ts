import { daySeconds } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Queries, Transaction } from '../../platform/store/database'
import { sha256 } from '../../platform/store/seal'
import { sessionSeconds } from './session-cookie'
import { randomToken } from '../../platform/random'

const idBytes = 32
const maxUserAgentLength = 255
const secondsBetweenSightings = 60

export interface NewSession {
  readonly userId: number
  readonly ip: string
  readonly userAgent: string
}

/** Begins a session. Resolves with the id for the cookie; only its hash is stored. */
export async function startSession(ctx: Context, session: NewSession): Promise<string> {
  const id = randomToken(ctx.random, idBytes)
  const now = ctx.clock.seconds()
  await ctx.database.query.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('sessions')
      .where('user_id', '=', session.userId)
      .where('expires_at', '<=', now)
      .execute()
    await transaction
      .insertInto('sessions')
      .values({
        id_hash: sha256(id),
        user_id: session.userId,
        created_at: now,
        last_seen_at: now,
        expires_at: now + sessionSeconds,
        ip: session.ip,
        user_agent: session.userAgent.slice(0, maxUserAgentLength),
      })
      .execute()
  })
  return id
}

/** A browser that forgets its cookies, or a script, is not news every day. */
const familiarSeconds = 7 * daySeconds

/** Resolves with whether the user signed in from this address with this program lately, before the session that just began. */
export async function isFamiliar(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  { userId, ip, userAgent }: NewSession,
): Promise<boolean> {
  const sessions = await database.query
    .selectFrom('sessions')
    .select('id_hash')
    .where('user_id', '=', userId)
    .where('ip', '=', ip)
    .where('user_agent', '=', userAgent.slice(0, maxUserAgentLength))
    .where('created_at', '>=', clock.seconds() - familiarSeconds)
    .limit(2)
    .execute()
  return sessions.length > 1
}

/** Ends one session. Resolves with whether it existed; with `userId` only that user's counts. */
export async function endSession(query: Queries, idHash: string, userId?: number): Promise<boolean> {
  const ended = await query
    .deleteFrom('sessions')
    .where('id_hash', '=', idHash)
    .$if(userId !== undefined, (delete_) => delete_.where('user_id', '=', userId ?? 0))
    .executeTakeFirst()
  return Number(ended.numDeletedRows) > 0
}

/**
 * Revokes every access of a user: all sessions except one, known devices, and access tokens. For a ban, a demotion, a changed password and
 * a closed account. In force everywhere once the transaction commits.
 */
export async function endSessions(userId: number, transaction: Transaction, exceptIdHash?: string): Promise<void> {
  await transaction
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(exceptIdHash !== undefined, (delete_) => delete_.where('id_hash', '!=', exceptIdHash ?? ''))
    .execute()
  await transaction.deleteFrom('known_devices').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('access_tokens').where('user_id', '=', userId).execute()
  await transaction.updateTable('users').set({ access_token_hash: null }).where('id', '=', userId).execute()
}

/** The user as a guard needs it, read at every call. */
const userColumns = [
  'users.id',
  'users.username',
  'users.role',
  'users.grants',
  'users.status',
  'users.group',
  'users.deleted_at',
] as const

/** Resolves with the holder of a session, or null when it is unknown or expired. */
export async function sessionHolder(ctx: Context, idHash: string) {
  const now = ctx.clock.seconds()
  const row = await ctx.database.query
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([...userColumns, 'sessions.last_seen_at'])
    .where('sessions.id_hash', '=', idHash)
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return null
  if (now - row.last_seen_at >= secondsBetweenSightings) await recordSighting(ctx, idHash, now)
  return row
}

async function recordSighting(ctx: Context, idHash: string, now: number) {
  await ctx.database.query
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('id_hash', '=', idHash)
    .where('last_seen_at', '<=', now - secondsBetweenSightings)
    .execute()
}

/** Returns the token of an `Authorization` header, with or without `Bearer`. */
export const accessTokenOf = (headers: Headers): string =>
  (headers.get('authorization') ?? '').replace(/^bearer\s+/i, '').trim()

/** Resolves with the owner of an access token, and its scopes where it is named; null when it is unknown or expired. */
export async function tokenOwner(ctx: Context, accessToken: string) {
  const hash = sha256(accessToken)
  const { query } = ctx.database
  const owner = await query
    .selectFrom('users')
    .select(userColumns)
    .where('access_token_hash', '=', hash)
    .executeTakeFirst()
  if (owner) return { ...owner, scopes: null }
  const now = ctx.clock.seconds()
  const row = await query
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .select([...userColumns, 'scopes', 'last_used_at'])
    .where('token_hash', '=', hash)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
  if (!row) return null
  const { last_used_at: lastUsedAt, ...holder } = row
  if (now - lastUsedAt >= secondsBetweenSightings) {
    await query.updateTable('access_tokens').set({ last_used_at: now }).where('token_hash', '=', hash).execute()
  }
  return holder
}
