import type { Provider } from '@tollgate/providers'

import { AppError } from '../../platform/app-error'
import { openKeys, splitKeys } from '../../channels/catalog/channel-keys'
import { secretMask, withSecrets } from '../../channels/catalog/channel-secrets'
import type { Context } from '../../context'
import { checkBaseUrl, checkKey, checkType } from './channel-fields'
import { channelRow } from './find-channels'
import { proxyOf } from './save-channel'
import { readVendor, VendorCallError } from './vendor-call'

interface Source {
  readonly provider: Provider
  readonly baseUrl: string
  readonly key: string
  readonly other: string
  readonly proxy?: string | undefined
}

/**
 * Resolves with the models that the vendor of a channel offers.
 * @throws AppError `channel.none`, `channel.type`, `channel.fetch_failed`.
 */
export async function fetchModels(ctx: Context, channelId: number): Promise<string[]> {
  const row = withSecrets(await channelRow(ctx, channelId), ctx.seal)
  const provider = checkType(row.type)
  const [key = ''] = openKeys(ctx, row)
  return modelsOf(ctx, { provider, baseUrl: row.base_url, key, other: row.other, proxy: proxyOf(row) })
}

export interface UnsavedChannel {
  readonly type: number
  readonly key: string
  readonly base_url?: string | null | undefined
  readonly other?: string | null | undefined
}

/** Does the same before a channel is saved. @throws AppError `channel.key_needed`, `channel.key_form` and those of `fetchModels`. */
export async function fetchModelsUnsaved(ctx: Context, channel: UnsavedChannel): Promise<string[]> {
  const provider = checkType(channel.type)
  const [key] = splitKeys(channel.key, provider)
  if (key === undefined) throw new AppError('channel.key_needed')
  checkKey(channel.key, provider)
  const baseUrl = checkBaseUrl(channel.base_url ?? '', { provider })
  if (baseUrl.includes(secretMask)) throw new AppError('channel.masked', { params: { field: 'base_url' } })
  return modelsOf(ctx, { provider, baseUrl, key, other: channel.other ?? '' })
}

async function modelsOf(ctx: Context, { provider, baseUrl, key, other, proxy }: Source): Promise<string[]> {
  const list = provider.modelList
  if (!list) throw new AppError('channel.fetch_failed', { logMessage: `${provider.id} has no model list` })
  const call = list.request({ baseUrl: baseUrl || (provider.baseUrl ?? ''), key, other })
  try {
    return [...new Set(list.parse(await readVendor(ctx, call, { proxy, secrets: [key] })))]
  } catch (cause) {
    if (!(cause instanceof VendorCallError) && !(cause instanceof TypeError)) throw cause
    throw new AppError('channel.fetch_failed', { logMessage: cause.message, cause })
  }
}
