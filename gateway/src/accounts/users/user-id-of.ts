import type { Queries } from '../../platform/store/database'
import { usernameKey } from './credentials'

/**
 * Resolves with the user of that name, closed accounts included; undefined when no name is given, null when there is none. By id, a
 * renamed user keeps the history.
 */
export async function userIdOf(query: Queries, username: string | undefined): Promise<number | null | undefined> {
  if (!username) return undefined
  const row = await query
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey(username.trim()))
    .executeTakeFirst()
  return row?.id ?? null
}
