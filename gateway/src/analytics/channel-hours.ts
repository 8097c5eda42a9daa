import { sql } from 'kysely'

import type { Queries } from '../store/database'
import { dimensions, spans } from './dimensions'
import { openBooks } from './folds'
import type { Folds } from './fold-reach'
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

/** What a channel served in some hours. */
export type ChannelTotals = Pick<ChannelHour, 'count' | 'errors' | 'quota'>

/** What every channel with traffic served in the hours together. */
export async function channelTotals(query: Queries, hours: Hours): Promise<ReadonlyMap<number, ChannelTotals>> {
  const { folds } = await openBooks(query)
  const until = summedUntil(folds, hours)
  const [summed, recent] = await Promise.all([
    summedRows(query, { from: hours.from, before: until })
      .select(['key', ...totals()])
      .groupBy('key')
      .execute(),
    // The index of time, and not that of the channels, is the one to take.
    query
      .selectFrom('rollups')
      .where('hour', '>=', until)
      .where('hour', '<', hours.before)
      .select([sql<number>`coalesce(channel_id, channel_id)`.as('key'), ...totals()])
      .groupBy(sql`coalesce(channel_id, channel_id)`)
      .execute(),
  ])
  const found = new Map<number, ChannelTotals>()
  for (const { key, count, errors, quota } of [...summed, ...recent]) {
    const known = found.get(Number(key)) ?? { count: 0, errors: 0, quota: 0 }
    found.set(Number(key), {
      count: known.count + count,
      errors: known.errors + errors,
      quota: known.quota + quota,
    })
  }
  return found
}

/** What channels served by the hour: from the sums by channel, and for the hours that are not in them yet from the hourly rows. */
export async function channelHours(
  query: Queries,
  hours: Hours,
  channelIds: readonly number[],
): Promise<readonly ChannelHour[]> {
  if (channelIds.length === 0) return []
  const { folds } = await openBooks(query)
  const until = summedUntil(folds, hours)
  const [summed, recent] = await Promise.all([
    summedRows(query, { from: hours.from, before: until })
      .where('key', 'in', channelIds.map(String))
      .select(['key', 'start', 'count', 'errors', 'quota'])
      .execute(),
    query
      .selectFrom('rollups')
      .where('channel_id', 'in', [...channelIds])
      .where('hour', '>=', until)
      .where('hour', '<', hours.before)
      .select(['channel_id', 'hour', ...totals()])
      .groupBy(['channel_id', 'hour'])
      .execute(),
  ])
  return [
    ...summed.map(({ key, start, ...figures }) => ({ channelId: Number(key), hour: start, ...figures })),
    ...recent.map(({ channel_id: channelId, ...figures }) => ({ channelId, ...figures })),
  ]
}

/** Hours before it are in the sums by channel. */
const summedUntil = (folds: Folds, { from, before }: Hours): number =>
  Math.max(from, Math.min(before, foldedUntil(folds, 'channel_id')))

const summedRows = (query: Queries, { from, before }: Hours) =>
  query
    .selectFrom('usage_sums')
    .where('dimension', '=', sql.lit(dimensions.channel_id))
    .where('span', '=', sql.lit(spans.hour))
    .where('start', '>=', from)
    .where('start', '<', before)

/** Of either table. */
const totals = () => (['count', 'errors', 'quota'] as const).map((name) => sql<number>`sum(${sql.ref(name)})`.as(name))
