import { daySeconds } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Context } from '../../context'
import type { Queries } from '../../platform/store/database'
import { sha256 } from '../../platform/store/seal'
import { usernameKey } from '../users/usernames'
import { randomToken } from '../../platform/random'

const idBytes = 32
const secondsBetweenSightings = daySeconds

/** Resolves with whether this account was signed in to from the device before: other people's wrong guesses do not lock it out. */
export async function isKnownDevice({ query }: { query: Queries }, idHash: string, account: string): Promise<boolean> {
  const found = await query
    .selectFrom('known_devices')
    .innerJoin('users', 'users.id', 'known_devices.user_id')
    .select('users.id')
    .where('known_devices.id_hash', '=', idHash)
    .where('users.deleted_at', 'is', null)
    .where(isAccount(account))
    .executeTakeFirst()
  return found !== undefined
}

/** Matches the account named at sign-in. User names have no `@`, mail addresses have one: neither hides the other. */
export const isAccount = (name: string) =>
  name.includes('@')
    ? sql<boolean>`lower(users.email) = ${name.toLowerCase()}`
    : sql<boolean>`users.username_key = ${usernameKey(name)}`

/**
 * Records that an account was signed in to from a device. Resolves with the new id for its cookie, null when the presented one is known
 * already, for this account or for another one; and whether it is new to this account.
 */
export async function rememberDevice(
  ctx: Context,
  userId: number,
  presented: string | null,
): Promise<{ readonly id: string | null; readonly isNew: boolean }> {
  const { query } = ctx.database
  const now = ctx.clock.seconds()
  const known = presented === null ? [] : await usersOf(query, presented)
  if (presented !== null && known.length > 0) {
    await keep(query, presented, userId, now)
    return { id: null, isNew: known.every(({ user_id: user }) => user !== userId) }
  }
  const id = randomToken(ctx.random, idBytes)
  await keep(query, sha256(id), userId, now)
  return { id, isNew: true }
}

const usersOf = (query: Queries, idHash: string) =>
  query.selectFrom('known_devices').select('user_id').where('id_hash', '=', idHash).execute()

const keep = (query: Queries, idHash: string, userId: number, now: number) =>
  query
    .insertInto('known_devices')
    .values({ id_hash: idHash, user_id: userId, created_at: now, last_seen_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['id_hash', 'user_id'])
        .doUpdateSet({ last_seen_at: now })
        .where('known_devices.last_seen_at', '<=', now - secondsBetweenSightings),
    )
    .execute()
