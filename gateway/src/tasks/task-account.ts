import { backgroundPlatforms, batchPlatform, vendorPlatforms } from '@tollgate/contract'
import { taskProtocolOf, type TaskProtocol } from '@tollgate/providers'

import type { Context } from '../context'
import type { TaskRow } from '../platform/store/tables'
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
export function protocolOf(
  { channel, key, upstreamModel }: TaskAccount,
  row: Pick<TaskRow, 'platform'>,
): TaskProtocol | null {
  const platform = vendorPlatforms.find((name) => name === row.platform)
  if (!platform) return null
  const target = { model: upstreamModel, key: key.value, other: channel.other }
  return taskProtocolOf(channel.provider, platform, target) ?? null
}

const platforms: ReadonlySet<string> = new Set([...backgroundPlatforms, batchPlatform])

/** Returns whether a task is one or many calls of models that a worker makes in the background; no vendor knows of the task. */
export const isRunHere = ({ platform }: Pick<TaskRow, 'platform'>): boolean => platforms.has(platform)
