import { taskProtocolOf, type TaskPlatform } from '@tollgate/providers'

import type { Context } from '../context'
import type { TaskRow } from '../store/tables'
import type { TaskAccount } from './vendor-call'

/** Returns the account that a task runs on; null when its channel is gone. Its key may have been replaced meanwhile. */
export function accountOf(
  { catalog }: Pick<Context, 'catalog'>,
  row: Pick<TaskRow, 'channel_id' | 'key_fingerprint' | 'upstream_model'>,
): TaskAccount | null {
  const channel = catalog.current.channels.get(row.channel_id)
  if (!channel) return null
  const { keys } = channel
  const key = keys.find(({ fingerprint }) => fingerprint === row.key_fingerprint) ?? keys.find((one) => one.isEnabled)
  return key ? { channel, key, upstreamModel: row.upstream_model } : null
}

/** Returns how the account's vendor runs the task; null where it does not (any more). */
export const protocolOf = ({ channel, key, upstreamModel }: TaskAccount, { platform }: Pick<TaskRow, 'platform'>) =>
  taskProtocolOf(channel.provider, platform as TaskPlatform, {
    model: upstreamModel,
    key: key.value,
    other: channel.other,
  }) ?? null
