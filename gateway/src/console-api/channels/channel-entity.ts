import { channelRoutes, channelStatus } from '@tollgate/contract'

import { fingerprintOf, maskedKey, openKeys, parseKeyStates } from '../../channels/catalog/channel-keys'
import { maskSecrets } from '../../channels/catalog/channel-secrets'
import type { Context } from '../../context'
import type { Language } from '../../http/language'
import { parsedJson } from '../../platform/text/parsed-json'
import { shownText } from '../../platform/locales/sentence'
import type { ChannelRow } from '../../platform/store/tables'

/**
 * Returns a channel for the wire: everything but its keys, which are identified by their fingerprints and last four characters, and but the
 * credentials in its addresses and overrides, which are masked.
 */
export function channelEntity(ctx: Pick<Context, 'seal'>, row: ChannelRow): channelRoutes.ChannelEntity {
  const { key_sealed: _sealed, secrets_sealed: _secrets, key_states: _states, ...shown } = row
  return { ...shown, ...maskSecrets(row).shown, keys: keyEntities(ctx, row) }
}

/** Returns a channel with the reasons of its states in the reader's language. */
export function shownChannel(channel: channelRoutes.ChannelEntity, language: Language): channelRoutes.ChannelEntity {
  const keys = channel.keys.map((key) => ({ ...key, reason: shownText(key.reason, language) }))
  const info = channelRoutes.ChannelInfo.safeParse(parsedJson(channel.other_info)).data
  if (info?.status_reason === undefined) return { ...channel, keys }
  const status_reason = shownText(info.status_reason, language)
  return { ...channel, keys, other_info: JSON.stringify({ ...info, status_reason }) }
}

type KeyRow = Pick<ChannelRow, 'id' | 'type' | 'key_sealed' | 'key_states'>

function keyEntities(ctx: Pick<Context, 'seal'>, row: KeyRow): channelRoutes.ChannelKeyEntity[] {
  const states = parseKeyStates(row.key_states)
  return openKeys(ctx, row).map((key) => {
    const fingerprint = fingerprintOf(key)
    const { status = channelStatus.enabled, reason = '', time = 0 } = states[fingerprint] ?? {}
    return { fingerprint, masked: maskedKey(key), status, reason, time }
  })
}
