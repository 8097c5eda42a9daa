import { passwordLength, type Phrase } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { hashPassword } from './password-hash'

const maxUsernameLength = 20
const maxDisplayNameLength = 50

/** About 20 ms and 19 MB per sign-in: guessing stays expensive, and many at once do not exhaust a small machine. */
export const passwordHashing = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

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

/** Resolves with a password's hash (argon2id). @throws AppError `user.password` unless it is as long as `passwordLength` says. */
export async function hashedPassword(password: string): Promise<string> {
  const length = lengthOf(password)
  if (length < passwordLength.min || length > passwordLength.max)
    throw new AppError('user.password', { params: passwordLength })
  return hashPassword(password, passwordHashing)
}
