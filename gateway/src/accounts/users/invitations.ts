import { daySeconds, logType } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import { quotaText } from '../../billing/ledger/quota-text'
import { siteDay } from '../site-calendar'
import { userLog } from '../../billing/ledger/event-logs'
import { lockUserRow } from './lock-user-row'
import { limitAddress } from '../callers/limit-address'

type Deps = Pick<Context, 'catalog' | 'clock' | 'database' | 'ledger'>

/** The network origin of a registration. */
export interface Origin {
  /** As returned by `limitAddress`. */
  readonly address: string
  readonly deviceHash: string | null
}

interface Invitation {
  readonly inviterId: number
  readonly inviteeId: number
  readonly origin: Origin
}

/**
 * The state of an invitation. `waiting`: for the invitee's first payment or paid call. Without a reward: `related`, the two shared an
 * address or device; `capped`, the inviter had as many as a day allows.
 */
export type InvitationState = 'waiting' | 'rewarded' | 'related' | 'capped'

/** Counts an invitation in the transaction that adds the invitee, and rewards it unless that waits. Resolves with its state. */
export async function addInvitation(
  parts: Deps,
  { inviterId, inviteeId, origin }: Invitation,
  transaction: Transaction,
): Promise<InvitationState> {
  const { options } = parts.catalog.current
  // Locks the inviter: invitations of one inviter are settled one after the other.
  await transaction
    .updateTable('users')
    .set((eb) => ({ aff_count: eb('aff_count', '+', 1) }))
    .where('id', '=', inviterId)
    .execute()
  const invitation = {
    invitee_id: inviteeId,
    inviter_id: inviterId,
    address: origin.address,
    device_hash: origin.deviceHash ?? '',
    inviter_quota: options.QuotaForInviter,
    invitee_quota: options.QuotaForInvitee,
    created_at: parts.clock.seconds(),
  }
  await transaction
    .insertInto('invitations')
    .values({ ...invitation, state: 'waiting' })
    .execute()
  return options.InvitationRewardAfterUse ? 'waiting' : settle(parts, invitation, transaction)
}

interface Settled {
  readonly invitee_id: number
  readonly inviter_id: number
  readonly address: string
  readonly device_hash: string
  readonly inviter_quota: number
  readonly invitee_quota: number
  readonly created_at: number
}

/** Rewards an invitation that waited, once, in a transaction of its own. Resolves with its state; null when it was settled already. */
export const settleInvitation = (parts: Deps, invitation: Settled): Promise<InvitationState | null> =>
  parts.database.query.transaction().execute(async (transaction) => {
    await lockUserRow(transaction, invitation.inviter_id)
    const waiting = await transaction
      .selectFrom('invitations')
      .select('state')
      .where('invitee_id', '=', invitation.invitee_id)
      .executeTakeFirst()
    return waiting?.state === 'waiting' ? settle(parts, invitation, transaction) : null
  })

/** The inviter's row is locked before the invitee's, as everywhere in the ledger. */
async function settle(parts: Deps, invitation: Settled, transaction: Transaction): Promise<InvitationState> {
  const day = siteDay(parts)
  const state = await stateOf(parts, invitation, day, transaction)
  const isRewarded = state === 'rewarded'
  await transaction
    .updateTable('invitations')
    .set({ state, ...(isRewarded && { rewarded_on: day }) })
    .where('invitee_id', '=', invitation.invitee_id)
    .execute()
  if (isRewarded) await pay(parts, invitation, transaction)
  return state
}

async function stateOf(
  { catalog }: Deps,
  invitation: Settled,
  day: string,
  transaction: Transaction,
): Promise<InvitationState> {
  if (await isRelated(invitation, transaction)) return 'related'
  const { InvitationDailyLimit: dailyLimit } = catalog.current.options
  if (dailyLimit === 0) return 'rewarded'
  const { count } = await transaction
    .selectFrom('invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('inviter_id', '=', invitation.inviter_id)
    .where('rewarded_on', '=', day)
    .executeTakeFirstOrThrow()
  return count < dailyLimit ? 'rewarded' : 'capped'
}

async function pay({ ledger }: Deps, invitation: Settled, transaction: Transaction): Promise<void> {
  const { invitee_id: inviteeId, inviter_id: inviterId, inviter_quota: earned, invitee_quota: amount } = invitation
  if (earned > 0) {
    await transaction
      .updateTable('users')
      .set((eb) => ({
        aff_quota: eb('aff_quota', '+', earned),
        aff_history_quota: eb('aff_history_quota', '+', earned),
      }))
      .where('id', '=', inviterId)
      .execute()
  }
  if (amount > 0) {
    await ledger.credit({ id: `invitation:${inviteeId}`, userId: inviteeId, kind: 'invitation', amount }, transaction)
  }
}

/** Writes rows to the logs of both, after the commit. */
export async function recordInvitation(
  { catalog, clock, database, ledger }: Deps,
  requestId: string,
  inviteeId: number,
): Promise<void> {
  const { options } = catalog.current
  const row = await database.query
    .selectFrom('invitations')
    .innerJoin('users as inviter', 'inviter.id', 'invitations.inviter_id')
    .innerJoin('users as invitee', 'invitee.id', 'invitations.invitee_id')
    .select(['invitations.inviter_id', 'inviter_quota', 'invitee_quota'])
    .select(['inviter.username as inviter_name', 'invitee.username as invitee_name'])
    .where('invitee_id', '=', inviteeId)
    .executeTakeFirst()
  if (!row) return
  const record = (userId: number, username: string, code: 'log.invited' | 'log.was_invited', quota: number) => {
    if (quota <= 0) return
    const text = { code, params: { quota: quotaText(quota, options) } }
    const createdAt = clock.seconds()
    const details = code === 'log.invited' ? {} : { quota_change: quota }
    ledger.record(requestId, userLog({ createdAt, type: logType.system, userId, username, text, details }))
  }
  record(row.inviter_id, row.inviter_name, 'log.invited', row.inviter_quota)
  record(inviteeId, row.invitee_name, 'log.was_invited', row.invitee_quota)
}

interface Invited {
  readonly invitee_id: number
  readonly inviter_id: number
  readonly address: string
  readonly device_hash: string
  readonly created_at: number
}

/**
 * Resolves with whether inviter and invitee were seen at one address or on one device within a day of the registration: in sessions, and
 * in the audit log, which also has expired sessions.
 */
async function isRelated(invited: Invited, transaction: Transaction): Promise<boolean> {
  const [inviter, invitee] = [
    await tracesOf(invited.inviter_id, invited.created_at, transaction),
    await tracesOf(invited.invitee_id, invited.created_at, transaction),
  ]
  invitee.addresses.add(invited.address)
  invitee.devices.add(invited.device_hash)
  return (
    [...inviter.addresses].some((address) => !isUninformative(address) && invitee.addresses.has(address)) ||
    [...inviter.devices].some((device) => invitee.devices.has(device))
  )
}

/** The gateway's own machine: all visitors come from there through an undeclared proxy. */
const isUninformative = (address: string): boolean =>
  address === '' || address.startsWith('127.') || address === '0:0:0:0::/64'

async function tracesOf(userId: number, around: number, transaction: Transaction) {
  const [from, until] = [around - daySeconds, around + daySeconds]
  const sessions = await transaction
    .selectFrom('sessions')
    .select('ip')
    .where('user_id', '=', userId)
    .where('last_seen_at', '>', from)
    .where('created_at', '<', until)
    .execute()
  const acts = await transaction
    .selectFrom('audit_log')
    .select('ip')
    .distinct()
    .where('user_id', '=', userId)
    .where('created_at', '>', from)
    .where('created_at', '<', until)
    .execute()
  const devices = await transaction
    .selectFrom('known_devices')
    .select('id_hash')
    .where('user_id', '=', userId)
    // A sighting is recorded once a day.
    .where('last_seen_at', '>', from - daySeconds)
    .where('created_at', '<', until)
    .execute()
  return {
    addresses: new Set([...sessions, ...acts].map(({ ip }) => limitAddress(ip))),
    devices: new Set(devices.map(({ id_hash: hash }) => hash)),
  }
}
