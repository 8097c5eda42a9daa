import { channelRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Clock } from '../../platform/time/clock'
import { readSumProgress, spans, type Hours } from '../../billing/analytics/rollups'
import type { Queries } from '../../platform/store/database'
import { readSums } from '../../billing/analytics/query'
import type { Measures } from '../../billing/analytics/measures/measures'
import { readMeasures } from '../../billing/analytics/measures/read-measures'

/** A worker whose last heartbeat is older belongs to a node that is gone. */
const freshSeconds = 60

/** Returns the last 24 hours, the current one included. */
export function trafficSpan(clock: Pick<Clock, 'seconds'>): Hours {
  const now = clock.seconds()
  const before = now - (now % spans.hour) + spans.hour
  return { from: before - channelRoutes.trafficHours * spans.hour, before }
}

/** Resolves with what channels served in each of the last 24 hours. */
export async function channelTraffic({ database, clock }: Pick<Context, 'database' | 'clock'>, ids: readonly number[]) {
  const { from, before } = trafficSpan(clock)
  const times = Array.from({ length: channelRoutes.trafficHours }, (_, index) => from + index * spans.hour)
  const [progress, measures] = await Promise.all([
    readSumProgress(database.query),
    measuresOf(database.query, { from, before }, ids),
  ])
  const channels = new Map(ids.map((id) => [id, { ...noTraffic(id), ...timesTaken(measures?.get(String(id))) }]))
  const trafficQuery = {
    filter: {},
    hours: { from, before },
    column: 'channel_id',
    keys: ids,
    parts: everyHour,
  } as const
  for await (const found of ids.length > 0 ? readSums(progress, trafficQuery) : []) {
    for (const { key, part, count, errors, quota } of found) {
      const channel = channels.get(Number(key))
      if (!channel) continue
      channel.count += count
      channel.errors += errors
      channel.quota += quota
      channel.hours[part - from / spans.hour] = { count, errors }
    }
  }
  return { times, channels: [...channels.values()], nodes: await nodesAlive({ database, clock }) }
}

const everyHour = { size: spans.hour, shift: 0 }

const measuresOf = async (query: Queries, hours: Hours, keys: readonly number[]) =>
  (await readMeasures(query, { filter: {}, hours, series: { column: 'channel_id', keys } }))?.bySeries

const timesTaken = (measures: Measures | undefined) => ({
  p50_ms: measures?.whole.percentile(0.5) ?? null,
  p95_ms: measures?.whole.percentile(0.95) ?? null,
  first_token_p50_ms: measures?.firstToken.percentile(0.5) ?? null,
})

const noTraffic = (id: number): channelRoutes.ChannelTraffic => ({
  id,
  count: 0,
  errors: 0,
  quota: 0,
  ...timesTaken(undefined),
  hours: Array.from({ length: channelRoutes.trafficHours }, () => null),
})

async function nodesAlive({ database, clock }: Pick<Context, 'database' | 'clock'>): Promise<number> {
  const { nodes } = await database.query
    .selectFrom('workers')
    .where('heartbeat_at', '>', clock.seconds() - freshSeconds)
    .select((eb) => eb.fn.count<number>('node_id').distinct().as('nodes'))
    .executeTakeFirstOrThrow()
  return Math.max(1, nodes)
}
