import type { Phrase } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Queries, Transaction } from '../../platform/store/database'

const maxUsernameLength = 20
const maxDisplayNameLength = 50

/** In characters, not in UTF-16 units. */
const lengthOf = (text: string) => Array.from(text).length

/**
 * Returns a user name in the form that is stored: trimmed, 1 to 20 characters, without `@`, so that it is never taken for a mail address.
 * @throws AppError `user.username`.
 */
export function checkedUsername(text: string): string {
  const name = text.normalize('NFC').trim()
  const isValid = name !== '' && lengthOf(name) <= maxUsernameLength && !/[@\p{C}]/u.test(name)
  if (!isValid) throw new AppError('user.username')
  return name
}

/** Returns what two similar-looking names have in common; unique among all users, deleted ones included. */
export const usernameKey = (username: string): string => username.normalize('NFKC').toLowerCase()

/**
 * Returns a display name in the form that is stored: trimmed and cut to one line of at most 50 characters; the user name when empty.
 * @throws AppError `input.invalid` when it is too long or contains control characters.
 */
export function checkedDisplayName(text: string | undefined, username: string): string {
  const name = (text ?? '').normalize('NFC').trim()
  if (name === '') return username
  if (lengthOf(name) > maxDisplayNameLength || /\p{Cc}/u.test(name)) {
    const reason: Phrase =
      lengthOf(name) > maxDisplayNameLength
        ? { code: 'reason.too_long', params: { limit: maxDisplayNameLength } }
        : { code: 'reason.control_characters' }
    const detail: Phrase = { code: 'reason.at', params: { place: 'display_name', reason } }
    throw new AppError('input.invalid', { params: { detail } })
  }
  return name
}

/** Names of closed accounts stay taken. @throws AppError `user.exists` when another user has the name or a similar-looking one. */
export async function refuseTakenName(name: string, userId: number, transaction: Transaction) {
  const other = await transaction
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey(name))
    .where('id', '!=', userId)
    .executeTakeFirst()
  if (other) throw new AppError('user.exists')
}

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
