import { providerOf } from '@tollgate/providers'

import { splitKeys } from './catalog/channel-keys'
import type { Context } from '../context'
import type { ChannelRow } from '../platform/store/tables'

/** Returns the keys of a channel in order; none when they were sealed with another secret. */
export function openKeys(ctx: Pick<Context, 'seal'>, row: Pick<ChannelRow, 'id' | 'type' | 'key_sealed'>): string[] {
  const provider = providerOf(row.type)
  try {
    const text = ctx.seal.open(row.key_sealed, `channels.key_sealed#${row.id}`)
    return provider ? splitKeys(text, provider) : [text]
  } catch {
    return []
  }
}
