import { sql } from 'kysely'

import type { Queries } from '../store/database'
import { dimensions, spans } from './dimensions'
import { openBooks } from './folds'
import type { Hours } from './hours'
import { foldedUntil } from './read-sums'

/** What a channel served in an hour. */
export interface ChannelHour {
  readonly channelId: number
  readonly hour: number
  readonly count: number
  readonly errors: number
  readonly quota: number
}

/** What channels served by the hour: from the sums by channel, and for the hours that are not in them yet from the hourly rows. */
export async function channelHours(
  query: Queries,
  hours: Hours,
  channelIds: readonly number[],
): Promise<readonly ChannelHour[]> {
  if (channelIds.length === 0) return []
  const { folds } = await openBooks(query)
  const until = Math.max(hours.from, Math.min(hours.before, foldedUntil(folds, 'channel_id')))
  const [summed, recent] = await Promise.all([
    query
      .selectFrom('usage_sums')
      .where('dimension', '=', sql.lit(dimensions.channel_id))
      .where('span', '=', sql.lit(spans.hour))
      .where('start', '>=', hours.from)
      .where('start', '<', until)
      .where('key', 'in', channelIds.map(String))
      .select(['key', 'start', 'count', 'errors', 'quota'])
      .execute(),
    query
      .selectFrom('rollups')
      .where('channel_id', 'in', [...channelIds])
      .where('hour', '>=', until)
      .where('hour', '<', hours.before)
      .select((eb) => [
        'channel_id',
        'hour',
        eb.fn.sum<number>('count').as('count'),
        eb.fn.sum<number>('errors').as('errors'),
        eb.fn.sum<number>('quota').as('quota'),
      ])
      .groupBy(['channel_id', 'hour'])
      .execute(),
  ])
  return [
    ...summed.map(({ key, start, ...figures }) => ({ channelId: Number(key), hour: start, ...figures })),
    ...recent.map(({ channel_id: channelId, ...figures }) => ({ channelId, ...figures })),
  ]
}
