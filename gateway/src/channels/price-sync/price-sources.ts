import type { OptionValues } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Queries, Transaction } from '../../platform/store/database'
import type { Reading } from './read-source'
import { nowOf } from './sync-times'

/** Returns the public lists with their addresses; empty: not used. */
export const listSources = (options: Pick<OptionValues, 'PriceSyncLiteLlmUrl' | 'PriceSyncModelsDevUrl'>) =>
  [
    { name: 'litellm', url: options.PriceSyncLiteLlmUrl, document: 'liteLlm' },
    { name: 'models.dev', url: options.PriceSyncModelsDevUrl, document: 'modelsDev' },
  ] as const

/** A channel whose upstream is a gateway that publishes its prices. */
export interface ChannelSource {
  readonly name: string
  readonly channelId: number
  readonly use: 'cost' | 'sale'
  /** The group that the upstream assigned to us. */
  readonly group: string
}

export const channelSourceName = (channelId: number): string => `channel:${channelId}`

export async function channelSources(query: Queries | Transaction): Promise<ChannelSource[]> {
  const rows = await query
    .selectFrom('price_sources')
    .selectAll()
    .where('channel_id', '>', 0)
    .orderBy('channel_id')
    .execute()
  return rows.map((row) => ({
    name: row.name,
    channelId: row.channel_id,
    use: row.used_for,
    group: row.upstream_group,
  }))
}

/** Stores the outcome of reading a source. A channel's source that was removed meanwhile stays removed. */
export async function recordReading(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  { name, channelId }: Pick<ChannelSource, 'name' | 'channelId'>,
  { failure, status, models }: Reading,
): Promise<void> {
  const now = nowOf(clock)
  const read = { last_run_at: now, failure, status, ...(failure === '' && { last_success_at: now, models }) }
  const { numUpdatedRows } = await database.query
    .updateTable('price_sources')
    .set(read)
    .where('name', '=', name)
    .executeTakeFirst()
  if (numUpdatedRows > 0n || channelId !== 0) return
  await database.query
    .insertInto('price_sources')
    .values({ name, channel_id: 0, used_for: 'sale', upstream_group: '', ...read })
    .execute()
}
