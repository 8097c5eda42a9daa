import { logType, role, userStatus, type OptionValues } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { Identity } from '../identities/identities'
import { addInvitation, recordInvitation, type InvitationState, type Origin } from './invitations'
import { registerNewcomer } from './newcomers'
import { quotaText } from '../../billing/ledger/quota-text'
import { userLog } from '../../billing/ledger/event-logs'
import { AppError } from '../../platform/app-error'
import type { Random } from '../../platform/random'
import { usernameKey } from './usernames'

/** A user who was just added. */
export interface Member {
  readonly userId: number
  readonly username: string
  /** Quota that the site gives every new user. */
  readonly gift: number
  /** Null: not invited. */
  readonly invitation: InvitationState | null
}

interface NewMember extends Omit<NewUser, 'createdAt' | 'inviterId' | 'isReturning'> {
  readonly invited?: { readonly inviterId: number; readonly origin: Origin }
  /** The account at a provider by which they sign up. */
  readonly identity?: Identity
}

type Deps = Pick<Context, 'catalog' | 'clock' | 'database' | 'ledger' | 'random'>

/** Returns whether strangers may make an account. A site for its owner's own use has no others. */
export const isOpenToNewcomers = (options: Pick<OptionValues, 'RegisterEnabled' | 'SelfUseModeEnabled'>): boolean =>
  options.RegisterEnabled && !options.SelfUseModeEnabled

/**
 * Adds a user with the initial quota, in the transaction of what admits them: a form, a mail, an external account. A person who had it before
 * under the same address or account gets none, and rewards no invitation. Call `recordMember` after the commit.
 * @throws AppError `user.exists`.
 */
export async function addMember(
  parts: Deps,
  { invited, identity, ...user }: NewMember,
  transaction: Transaction,
): Promise<Member> {
  const { catalog, clock, ledger, random } = parts
  const createdAt = clock.seconds()
  const isNew = await registerNewcomer({ identity, email: user.email }, createdAt, transaction)
  const newUser = { ...user, inviterId: invited?.inviterId, isReturning: !isNew, createdAt }
  const userId = await insertUser(newUser, random, transaction)
  const { QuotaForNewUser: welcomeGift, AffEnabled: isRewarded } = catalog.current.options
  const gift = isNew ? welcomeGift : 0
  if (gift > 0) {
    await ledger.credit({ id: `registration:${userId}`, userId, kind: 'registration', amount: gift }, transaction)
  }
  const isInvited = isNew && isRewarded && invited !== undefined && invited.inviterId !== 0
  const invitation = isInvited ? await addInvitation(parts, { inviteeId: userId, ...invited }, transaction) : null
  return { userId, username: user.username, gift, invitation }
}

/** Writes rows to the logs: what the site gave the new user, and the rewards of the invitation. */
export async function recordMember(
  parts: Deps,
  requestId: string,
  { gift, invitation, ...user }: Member,
): Promise<void> {
  const { catalog, clock, ledger } = parts
  if (invitation === 'rewarded') await recordInvitation(parts, requestId, user.userId)
  if (gift <= 0) return
  const text = { code: 'log.registered', params: { quota: quotaText(gift, catalog.current.options) } } as const
  const createdAt = clock.seconds()
  ledger.record(requestId, userLog({ createdAt, type: logType.system, ...user, text, details: { quota_change: gift } }))
}

/**
 * Resolves with the id of the user with this invitation code; 0 if there is none, or the site has no invitations.
 * @throws AppError `register.invitation` where the site admits no one without an invitation.
 */
export async function requireInviter(deps: Pick<Context, 'catalog' | 'database'>, code: string): Promise<number> {
  const inviterId = await inviterOf(deps, code)
  if (inviterId === 0 && deps.catalog.current.options.InvitationRequired) throw new AppError('register.invitation')
  return inviterId
}

async function inviterOf({ catalog, database }: Pick<Context, 'catalog' | 'database'>, code: string): Promise<number> {
  const { AffEnabled: isRewarded, InvitationRequired: isRequired } = catalog.current.options
  if (code === '' || !(isRewarded || isRequired)) return 0
  const inviter = await database.query
    .selectFrom('users')
    .select('id')
    .where('aff_code', '=', code)
    .where('status', '=', userStatus.enabled)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return inviter?.id ?? 0
}

interface NewUser {
  /** Validated already. */
  readonly username: string
  readonly displayName: string
  readonly passwordHash: string
  readonly role?: number
  readonly email?: string
  readonly inviterId?: number
  /** Had an account before. */
  readonly isReturning?: boolean
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
      is_returning: user.isReturning ? 1 : 0,
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

/** Resolves with a new invitation code, short while the site is small: four characters, plus one for each time that all attempts collided. */
export async function freeInvitationCode(random: Random, transaction: Transaction): Promise<string> {
  const tries = 4
  for (let length = 4; ; length += 1) {
    const codes = Array.from({ length: tries }, () => codeOf(random.bytes(length)))
    const taken = await transaction.selectFrom('users').select('aff_code').where('aff_code', 'in', codes).execute()
    const free = codes.find((code) => !taken.some((row) => row.aff_code === code))
    if (free) return free
  }
}

const codeOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => letters[byte % letters.length]).join('')
