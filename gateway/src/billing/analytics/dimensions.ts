import type { UsageFilter } from '../../platform/store/usage-conditions'

/** The columns of the hourly rollups by which they are added up, each with its number in the table. */
export const dimensions = { model_name: 1, token_name: 2, group: 3, channel_id: 4, user_id: 5 } as const

export type DimensionName = keyof typeof dimensions

export const dimensionNames = ['model_name', 'token_name', 'group', 'channel_id', 'user_id'] as const

/** Bucket size of a row in seconds. */
export const spans = { hour: 3600, day: 86_400 } as const

/** The six figures of a row. */
export const figures = ['count', 'errors', 'quota', 'prompt_tokens', 'completion_tokens', 'use_time'] as const

/** What the calls whose cost at the vendor is known were sold for, and what the vendor charges for them; read by themselves. */
export const marginFigures = ['sold', 'vendor_cost'] as const

/** Returns the columns a filter has conditions on. */
export function filteredBy({
  modelName,
  modelNames,
  tokenName,
  group,
  channelId,
  userId,
}: UsageFilter): DimensionName[] {
  const filterValues = {
    model_name: modelName ?? modelNames,
    token_name: tokenName,
    group,
    channel_id: channelId,
    user_id: userId,
  }
  return dimensionNames.filter((name) => filterValues[name] !== undefined)
}
