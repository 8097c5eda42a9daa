import { takesOwnLogins } from '@tollgate/providers'

import type { LimitWindow } from '../../billing/ledger/window/limit-window'
import { limitWindow } from '../../billing/ledger/window/read-windows'
import type { WindowRow } from '../../platform/store/tables'
import type { Catalog, Channel, Choice, KeyWindows } from './catalog'
import { keyName, loginFingerprint } from './channel-keys'

/** Returns the windows of channels and their keys, from those of all owners by rising id. */
export function channelWindowsOf(
  rows: readonly WindowRow[],
  channels: ReadonlyMap<number, Channel>,
  siteTimeZone: string,
): ReadonlyMap<number, KeyWindows> {
  const found = new Map<number, Map<string, LimitWindow[]>>()
  for (const row of rows) {
    const channel = channels.get(channelIdOf(row))
    const window = channel && limitWindow(row, channel.id, siteTimeZone)
    if (!channel || !window) continue
    const ofKeys = found.get(channel.id) ?? new Map<string, LimitWindow[]>()
    found.set(channel.id, ofKeys)
    for (const key of takesOwnLogins(channel) ? [...channel.keys, anyLogin] : channel.keys) {
      if (row.owner === 'channel_key' && row.ref !== keyName(channel, key)) continue
      const windows = ofKeys.get(key.fingerprint) ?? []
      windows.push(window)
      ofKeys.set(key.fingerprint, windows)
    }
  }
  return found
}

/** Calls with their clients' own logins draw of the windows of the channel. */
const anyLogin = { fingerprint: loginFingerprint }

/** Returns 0 for a window of another owner. */
const channelIdOf = ({ owner, ref }: WindowRow): number =>
  owner === 'channel' || owner === 'channel_key' ? parseInt(ref, 10) : 0

/** Returns the windows of which an attempt draws, by rising id; undefined where there are none. */
export const windowsOf = (
  { channelWindows }: Pick<Catalog, 'channelWindows'>,
  { channel, key }: Pick<Choice, 'channel' | 'key'>,
): readonly LimitWindow[] | undefined => channelWindows.get(channel.id)?.get(key.fingerprint)
