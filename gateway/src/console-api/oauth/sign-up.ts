import { userStatus, type RouteResult, type sessionRoutes } from '@tollgate/contract'

import {
  addMember,
  isOpenToNewcomers,
  recordMember,
  requireInviter,
  type Member,
} from '../../accounts/users/add-member'
import { checkedUsername } from '../../accounts/users/usernames'
import { claimIdentity, identityOwner, type IdentityProvider } from '../../accounts/identities/identities'
import { checkedMailAddress, mailOwner } from '../../accounts/users/mail-address'
import type { Origin } from '../../accounts/users/invitations'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Random } from '../../platform/random'
import type { Call } from '../../http/handler'
import { originOf } from '../../http/request/origin-of'
import type { Transaction } from '../../platform/store/database'
import type { ExternalAccount, Profile } from './external-account'
import { standingOf } from '../../accounts/users/standing'
import { signInUser } from '../../http/sign-in/sign-in-user'

type SignUpCall = Pick<Call, 'ctx' | 'audit' | 'clientIp' | 'request' | 'requestId'>

/** Another call registered the same account concurrently. */
class Claimed extends Error {
  override readonly name = 'Claimed'
}

/**
 * Registers a user for an account that is not linked yet. A mail address that is taken is left out even if verified: it merges no
 * accounts.
 * @throws AppError `register.off` or the account's own refusal, `register.invitation`, `demo.read_only`, and what the account's check and profile throw.
 */
async function signUp(account: ExternalAccount, invitation: string, call: SignUpCall) {
  const { ctx, audit, requestId } = call
  const { options } = ctx.catalog.current
  if (options.DemoSiteEnabled) throw new AppError('demo.read_only')
  if (!isOpenToNewcomers(options)) throw new AppError(account.unknown ?? 'register.off')
  const inviterId = await requireInviter(ctx, invitation.trim())
  account.checkNew?.()
  const profile = await account.profile()
  const member = await addUnlessClaimed(ctx, account, { profile, invited: { inviterId, origin: originOf(call) } })
  if (member) {
    audit.target('user', member.userId, member.username)
    await recordMember(ctx, requestId, member)
  }
  const owner = await identityOwner(ctx.database.query, account)
  if (!owner) throw new Error(`An account at ${account.provider} has no owner after its registration`)
  return owner
}

interface Newcomer {
  readonly profile: Profile
  readonly invited: { readonly inviterId: number; readonly origin: Origin }
}

/** Resolves with null if another call registered the account first. */
async function addUnlessClaimed(
  ctx: Context,
  account: ExternalAccount,
  { profile, invited }: Newcomer,
): Promise<Member | null> {
  const names = usernames(account.provider, profile, ctx.random)
  for (;;) {
    const { value: username } = names.next()
    const displayName = displayNameOf(profile) || username
    try {
      return await ctx.database.query.transaction().execute(async (transaction) => {
        const email = await freeAddress(profile, ctx, transaction)
        const member = await addMember(
          ctx,
          { username, displayName, passwordHash: '', email, invited, identity: account },
          transaction,
        )
        const createdAt = ctx.clock.seconds()
        if (!(await claimIdentity(account, { userId: member.userId, createdAt }, transaction))) throw new Claimed()
        return member
      })
    } catch (error) {
      if (error instanceof Claimed) return null
      if (!(error instanceof AppError && error.code === 'user.exists')) throw error
    }
  }
}

/** Yields the preferred user name if it is valid, then random ones such as `github_7xk2mq`. */
function* usernames(provider: IdentityProvider, { username }: Profile, random: Random): Generator<string, never> {
  const preferred = username === undefined ? undefined : usableName(username)
  if (preferred !== undefined) yield preferred
  for (;;) yield `${provider}_${suffix(random)}`
}

function usableName(text: string): string | undefined {
  try {
    return checkedUsername(text)
  } catch {
    return undefined
  }
}

/** 32 unambiguous characters, so that a byte selects one without bias. */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
const suffix = (random: Random): string =>
  Array.from(random.bytes(6), (byte) => letters[byte % letters.length]).join('')

const maxDisplayNameLength = 50

/** Returns the display name as one line, truncated to the limit. */
const displayNameOf = ({ displayName = '' }: Profile): string =>
  Array.from(
    displayName
      .normalize('NFC')
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim(),
  )
    .slice(0, maxDisplayNameLength)
    .join('')
    .trim()

/** Returns the verified address if the site's rules allow it and no account, open or closed, has it. */
async function freeAddress(
  { email }: Profile,
  { catalog }: Context,
  transaction: Transaction,
): Promise<string | undefined> {
  const address = email === undefined ? undefined : allowedAddress(email, catalog)
  if (address === undefined) return undefined
  return (await mailOwner(transaction, address)) ? undefined : address
}

function allowedAddress(email: string, { current }: Context['catalog']): string | undefined {
  try {
    return checkedMailAddress(email, current.options)
  } catch {
    return undefined
  }
}

/**
 * Signs in the owner of the account, or registers a new user if registration is open.
 * @throws AppError `user.deregistered`, `user.banned`, and what registering throws.
 */
export async function letIn(
  account: ExternalAccount,
  invitation: string,
  call: Call<'guest'> | Call<'optional'>,
  returnTo: string | null = null,
): Promise<RouteResult<typeof sessionRoutes.logIn>> {
  const { ctx, audit } = call
  const user = (await identityOwner(ctx.database.query, account)) ?? (await signUp(account, invitation, call))
  audit.by({ userId: user.id, username: user.username, role: standingOf(user).rank })
  if (user.deleted_at !== null) throw new AppError('user.deregistered')
  if (user.status !== userStatus.enabled) throw new AppError('user.banned')
  return signInUser(user.id, call, returnTo)
}
