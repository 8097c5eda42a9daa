import type { OfferedObject } from '@tollgate/contract'
import type { ObjectName } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import type { Candidate, Catalog, Channel, ChannelKey } from '../../channels/catalog/catalog'
import { keyName } from '../../channels/catalog/channel-keys'
import type { Excluded } from '../../channels/routing/keys'
import { priorityLevelsOf } from '../../channels/routing/priority-levels'
import type { StoredObject, VendorAccount } from '../../channels/vendor-objects/vendor-objects'

/** An object that a call names: made by its user, or offered to the user's group. Neither: it is not known where it is. */
export interface NamedObject {
  readonly name: ObjectName
  readonly stored: StoredObject | undefined
  readonly offers: readonly OfferedObject[]
  /** Another user made it, and the call goes on without. */
  readonly isForeign?: boolean
}

/** Whether a key of a channel is of the account that an object is in. */
type Holds = (channel: Channel, key: ChannelKey) => boolean

interface ExclusionQuery {
  readonly catalog: Catalog
  readonly caller: { readonly group: string }
  readonly view: { readonly model: string }
}

/**
 * Returns the channels and keys for a model that are not of the account in which all the objects are.
 * @throws AppError `object.gone`, `object.response_gone`, `object.away`, `object.split` when none of them is.
 */
export function excludedFrom(objects: readonly NamedObject[], { catalog, caller, view }: ExclusionQuery): Excluded {
  const candidates = priorityLevelsOf(catalog, caller.group, view.model).flatMap((level) => level.candidates)
  const tests = objects.map((object) => holderOf(object, catalog))
  const excluded = { channels: new Set<number>(), keys: new Set<string>() }
  for (const { channel } of candidates) {
    const wrong = channel.keys.filter((key) => !tests.every((holds) => holds(channel, key)))
    if (!isUsable(channel, (key) => !wrong.includes(key))) excluded.channels.add(channel.id)
    for (const key of wrong) excluded.keys.add(keyName(channel, key))
  }
  // Without a channel at all, the call is refused for that.
  if (candidates.every(({ channel }) => excluded.channels.has(channel.id)) && candidates.length > 0)
    throw unreachable(objects, candidates, catalog)
  return excluded
}

const isUsable = (channel: Channel, test: (key: ChannelKey) => boolean): boolean =>
  channel.keys.some((key) => key.isEnabled && test(key))

/** Returns whether a key of a channel is of the account that an object is in. */
export function holderOf({ stored, offers, isForeign }: NamedObject, catalog: Catalog): Holds {
  if (isForeign) return () => false
  if (stored) return accountTest(stored, catalog)
  if (offers.length === 0) return () => true
  const channels = new Set(offers.map(({ channel }) => channel))
  return ({ id }) => channels.has(id)
}

/** Returns whether a key of a channel is of an account. Several channels may use one key of one address, as for other models. */
export function accountTest({ channelId, keyFingerprint }: VendorAccount, { channels }: Catalog): Holds {
  const home = channels.get(channelId)
  return (channel, key) =>
    key.fingerprint === keyFingerprint && (channel.id === channelId || (home !== undefined && isAlike(home, channel)))
}

const isAlike = (one: Channel, other: Channel): boolean =>
  one.provider.type === other.provider.type &&
  one.baseUrl === other.baseUrl &&
  one.organization === other.organization &&
  one.other === other.other

function unreachable(objects: readonly NamedObject[], candidates: readonly Candidate[], catalog: Catalog): AppError {
  const lost = objects.find((object) => {
    const holds = holderOf(object, catalog)
    return !candidates.some(({ channel }) => isUsable(channel, (key) => holds(channel, key)))
  })
  if (!lost) return new AppError('object.split')
  const { name, stored } = lost
  const params = { id: name.id.slice(0, 100), place: name.place }
  if (stored && isDisabled(stored, catalog)) return new AppError('object.away', { params })
  return new AppError(name.place === 'previous_response_id' ? 'object.response_gone' : 'object.gone', { params })
}

/** The account is still there, and may be back. */
function isDisabled({ channelId, keyFingerprint }: StoredObject, { channels }: Catalog): boolean {
  const channel = channels.get(channelId)
  const key = channel?.keys.find(({ fingerprint }) => fingerprint === keyFingerprint)
  return channel !== undefined && key !== undefined && !(channel.isEnabled && key.isEnabled)
}
