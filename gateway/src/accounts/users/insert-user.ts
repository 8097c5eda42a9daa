import { role, userStatus } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Random } from '../../platform/random'
import type { Transaction } from '../../platform/store/database'
import { usernameKey } from './credentials'

export interface NewUser {
  /** Validated already. */
  readonly username: string
  readonly displayName: string
  readonly passwordHash: string
  readonly role?: number
  readonly email?: string
  readonly inviterId?: number
  readonly createdAt: number
}

/** Adds a user without any quota. Resolves with the id. @throws AppError `user.exists` when the name is taken, also by a closed account. */
export async function insertUser(user: NewUser, random: Random, transaction: Transaction): Promise<number> {
  const row = await transaction
    .insertInto('users')
    .values({
      username: user.username,
      username_key: usernameKey(user.username),
      display_name: user.displayName,
      password_hash: user.passwordHash,
      role: user.role ?? role.user,
      status: userStatus.enabled,
      email: user.email ?? null,
      inviter_id: user.inviterId ?? 0,
      aff_code: await freeInvitationCode(random, transaction),
      created_at: user.createdAt,
    })
    .onConflict((conflict) => conflict.column('username_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) throw new AppError('user.exists')
  return row.id
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'

/** Short while the site is small: four characters, plus one for each time that all attempts collided. */
async function freeInvitationCode(random: Random, transaction: Transaction): Promise<string> {
  const tries = 4
  for (let length = 4; ; length += 1) {
    const codes = Array.from({ length: tries }, () => codeOf(random.bytes(length)))
    const taken = await transaction.selectFrom('users').select('aff_code').where('aff_code', 'in', codes).execute()
    const free = codes.find((code) => !taken.some((row) => row.aff_code === code))
    if (free) return free
  }
}

const codeOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => letters[byte % letters.length]).join('')
