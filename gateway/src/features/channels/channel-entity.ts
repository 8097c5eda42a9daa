import { channelStatus, type channelRoutes } from '@tollgate/contract'
import { providerOf } from '@tollgate/providers'

import { fingerprintOf, parseKeyStates, splitKeys } from '../../catalog/channel-keys'
import type { Context } from '../../context'
import type { ChannelRow } from '../../store/tables'

/** A channel as it is answered: everything but its keys, which are named by their fingerprints. */
export function channelEntity(ctx: Pick<Context, 'seal'>, row: ChannelRow): channelRoutes.ChannelEntity {
  const { key_sealed: _sealed, key_states: _states, ...shown } = row
  return { ...shown, keys: keyEntities(ctx, row) }
}

type KeyRow = Pick<ChannelRow, 'type' | 'key_sealed' | 'key_states'>

function keyEntities(ctx: Pick<Context, 'seal'>, row: KeyRow): channelRoutes.ChannelKeyEntity[] {
  const states = parseKeyStates(row.key_states)
  return openKeys(ctx, row).map((key) => {
    const fingerprint = fingerprintOf(key)
    const { status = channelStatus.enabled, reason = '', time = 0 } = states[fingerprint] ?? {}
    return { fingerprint, status, reason, time }
  })
}

/** The keys of a channel in their order; none when they were sealed with another secret. */
export function openKeys(ctx: Pick<Context, 'seal'>, row: Pick<ChannelRow, 'type' | 'key_sealed'>): string[] {
  const provider = providerOf(row.type)
  try {
    const text = ctx.seal.open(row.key_sealed)
    return provider ? splitKeys(text, provider) : [text]
  } catch {
    return []
  }
}
