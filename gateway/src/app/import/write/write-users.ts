import { role, userStatus, UserSetting } from '@tollgate/contract'
import type { Insertable } from 'kysely'

import { claimIdentity } from '../../../accounts/identities/identities'
import { freeInvitationCode } from '../../../accounts/users/add-member'
import { mailAddress } from '../../../accounts/users/mail-address'
import { unusableHash } from '../../../accounts/users/passwords'
import { checkedDisplayName, usernameKey } from '../../../accounts/users/usernames'
import { sealedWebhookSecret } from '../../../messaging/notices/webhooks'
import { AppError } from '../../../platform/app-error'
import { sha256 } from '../../../platform/store/seal'
import type { UsersTable } from '../../../platform/store/tables/accounts'
import { earningsPrefix } from '../../../operations/import-note'
import type { SiteSource, SourceUser } from '../site-source'
import { noteLargeFigures, slicesOf, type ImportTarget } from './import-target'
import { TakenNames, typedName } from './taken-names'

/** Imports all users with their balances and identities. Of two with the same address, name or identity the first keeps it. */
export async function writeUsers(source: SiteSource, target: ImportTarget): Promise<void> {
  for await (const users of source.users()) {
    const taken = await TakenNames.among(users, target.transaction)
    const rows: Insertable<UsersTable>[] = []
    for (const user of users) rows.push(await columnsOf(user, taken, target))
    for (const some of slicesOf(rows)) await target.transaction.insertInto('users').values(some).execute()
    await writeOpenings(users, source.product, target)
    await writeIdentities(users, target)
    target.report.count('users', users.length)
  }
}

const roles: ReadonlySet<number> = new Set([role.user, role.admin, role.root])

async function columnsOf(user: SourceUser, taken: TakenNames, target: ImportTarget): Promise<Insertable<UsersTable>> {
  const { report } = target
  const username = usernameOf(user, taken, target)
  noteLargeFigures(target, `user ${label(user)}`, [user.quota, user.usedQuota])
  const isRoleKnown = roles.has(user.role)
  if (!isRoleKnown) report.note(`users with the unknown role ${user.role}, who are plain users here`, label(user))
  return {
    id: user.id,
    username,
    username_key: usernameKey(username),
    password_hash: passwordHashOf(user, target),
    display_name: displayNameOf(user, username),
    role: isRoleKnown ? user.role : role.user,
    status: user.isEnabled ? userStatus.enabled : userStatus.disabled,
    email: emailOf(user, taken, target),
    access_token_hash: accessTokenHash(user, taken),
    quota: user.quota,
    used_quota: user.usedQuota,
    request_count: user.requestCount,
    group: user.group,
    aff_code: await inviteCodeOf(user, taken, target),
    aff_count: user.invited,
    aff_quota: user.purse,
    aff_history_quota: user.earned,
    inviter_id: user.inviterId,
    ...userSettingColumns(user, target),
    created_at: user.createdAt ?? target.at,
    deleted_at: user.deletedAt,
  }
}

const label = ({ id, username }: SourceUser): string => `${username || '(no name)'} #${id}`

/** Any text that is not a mail address signs in; longer names than new ones may have are kept. */
function usernameOf(user: SourceUser, taken: TakenNames, { report }: ImportTarget): string {
  const name = typedName(user)
  if (name !== user.username)
    report.note('user names that could not be typed at the sign-in, written otherwise', `${label(user)} is ${name}`)
  if (taken.claim('name', name)) return name
  const other = taken.claimOther(name, user.id)
  report.note(
    'user names that differ from an earlier one in capitals alone, with the id after them',
    `${label(user)} is ${other}`,
  )
  return other
}

function displayNameOf({ displayName }: SourceUser, username: string): string {
  try {
    return checkedDisplayName(displayName, username)
  } catch (error) {
    if (error instanceof AppError) return username
    throw error
  }
}

const bcrypt = /^\$2[abxy]?\$\d\d\$.{53}$/

/** Hashes of bcrypt are replaced at the next sign-in. */
function passwordHashOf(user: SourceUser, { report }: ImportTarget): string {
  if (bcrypt.test(user.passwordHash)) return user.passwordHash
  report.note('users without a usable password, who sign in another way or reset it by mail', label(user))
  return unusableHash
}

function emailOf(user: SourceUser, taken: TakenNames, { report }: ImportTarget): string | null {
  if (user.email === '') return null
  const address = validAddress(user.email)
  if (address === null) report.note('users with an invalid mail address, kept without it', label(user))
  else if (user.deletedAt !== null || taken.claim('mail', address)) return address
  else report.note('users with the mail address of an earlier user, kept without it', label(user))
  return null
}

function validAddress(text: string): string | null {
  try {
    return mailAddress(text)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

async function inviteCodeOf(user: SourceUser, taken: TakenNames, target: ImportTarget): Promise<string> {
  const { report, random, transaction } = target
  if (taken.claim('code', user.inviteCode)) return user.inviteCode
  if (user.inviteCode !== '') report.note('invitation codes that an earlier user has, made anew', label(user))
  for (;;) {
    const code = await freeInvitationCode(random, transaction)
    if (taken.claim('code', code)) return code
  }
}

const accessTokenHash = ({ accessToken }: SourceUser, taken: TakenNames): string | null =>
  accessToken !== '' && taken.claim('access', accessToken) ? sha256(accessToken) : null

type Columns = Pick<Insertable<UsersTable>, 'setting' | 'warned_below' | 'webhook_secret_sealed'>

/** What users choose, under the same names in all products. */
const carried = [
  'notify_type',
  'quota_warning_threshold',
  'notification_email',
  'webhook_url',
  'accept_unset_model_ratio_model',
  'show_ip_in_logs',
  'language',
] as const

/** Returns the columns of what a user chose. A choice that we do not have counts as none. */
function userSettingColumns({ id, username, setting }: SourceUser, target: ImportTarget): Columns {
  const chosen: Record<string, unknown> = {}
  for (const name of carried) {
    const value = name === 'show_ip_in_logs' ? (setting[name] ?? setting['record_ip_log']) : setting[name]
    if (value === undefined || value === null || value === '') continue
    if (UserSetting.shape[name].safeParse(value).success) chosen[name] = value
    else if (name === 'notify_type')
      target.report.note('users notified by what is unknown here, now by mail', `${username} #${id}`)
  }
  const { quota_warning_threshold: threshold } = chosen
  const secret = setting['webhook_secret']
  return {
    setting: JSON.stringify(chosen),
    warned_below: typeof threshold === 'number' ? Math.ceil(threshold) : null,
    webhook_secret_sealed: typeof secret === 'string' && secret !== '' ? sealedWebhookSecret(target, id, secret) : '',
  }
}

/**
 * Writes what balances began with, so that free, leased, held and used quota are what was credited: all that a user had and has used is one
 * credit, and what was used before is a sum of hours that are gone. It is credited as of the beginning of the account, so statements of all
 * later months begin with a balance that is right.
 */
async function writeOpenings(
  users: readonly SourceUser[],
  product: string,
  { transaction, report }: ImportTarget,
): Promise<void> {
  const credits = users.flatMap((user) => creditsOf(user, product)).filter(({ amount }) => amount !== 0)
  for (const some of slicesOf(credits)) await transaction.insertInto('credits').values(some).execute()
  const used = users
    .filter(({ usedQuota, requestCount }) => usedQuota !== 0 || requestCount !== 0)
    .map(({ id, usedQuota: quota, requestCount: count }) => ({ user_id: id, channel_id: 0, quota, count }))
  for (const some of slicesOf(used)) await transaction.insertInto('removed_sums').values(some).execute()
  const earned = users
    .filter(({ earned: value }) => value !== 0)
    .map(({ id, earned: value }) => ({ name: `${earningsPrefix}${id}`, value }))
  for (const some of slicesOf(earned)) await transaction.insertInto('counters').values(some).execute()
  for (const { id, username, quota } of users)
    if (quota < 0) report.note('users with a negative balance, which is kept', `${username} #${id}: ${quota}`)
}

/** What was moved from the purse of invitations is told apart, as everywhere. */
function creditsOf(user: SourceUser, product: string) {
  const moved = user.earned - user.purse
  const credit = { user_id: user.id, created_at: user.createdAt ?? 0, detail: product }
  return [
    { ...credit, id: `import:${user.id}`, kind: 'import', amount: user.quota + user.usedQuota - moved },
    { ...credit, id: `invitation-transfer:import:${user.id}`, kind: 'invitation', amount: moved },
  ]
}

/** Links users to their accounts at providers. */
async function writeIdentities(users: readonly SourceUser[], { transaction, report, at }: ImportTarget): Promise<void> {
  for (const { id: userId, username, identities } of users)
    for (const identity of identities) {
      const example = `${username} #${userId}`
      if ('unknown' in identity) {
        report.note(`accounts at ${identity.unknown}, which users link again`, example)
        continue
      }
      const isNew = await claimIdentity(identity, { userId, createdAt: at }, transaction)
      if (isNew) report.count('accounts at sign-in providers')
      else report.note(`accounts at ${identity.provider} that an earlier user has`, example)
    }
}
