import { daySeconds } from '@tollgate/contract'
import type { Transaction } from '../../platform/store/database'
import { limitAddress } from '../callers/limit-address'

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
export async function isRelated(invited: Invited, transaction: Transaction): Promise<boolean> {
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
