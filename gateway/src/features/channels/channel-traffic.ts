import { channelRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import { channelHours } from '../../usage-sums/channel-hours'
import { spans } from '../../usage-sums/dimensions'

/** A worker whose last sign of life is older belongs to a node that is gone. */
const freshSeconds = 60

/** What channels served in each of the last 24 hours, the present one included. */
export async function channelTraffic({ database, clock }: Pick<Context, 'database' | 'clock'>, ids: readonly number[]) {
  const now = Math.floor(clock.now() / 1000)
  const before = now - (now % spans.hour) + spans.hour
  const from = before - channelRoutes.trafficHours * spans.hour
  const times = Array.from({ length: channelRoutes.trafficHours }, (_, index) => from + index * spans.hour)
  const rows = await channelHours(database.query, { from, before }, ids)
  const channels = new Map(ids.map((id) => [id, nothing(id)]))
  for (const { channelId, hour, count, errors, quota } of rows) {
    const channel = channels.get(channelId)
    if (!channel) continue
    channel.count += count
    channel.errors += errors
    channel.quota += quota
    channel.hours[(hour - from) / spans.hour] = { count, errors }
  }
  return { times, channels: [...channels.values()], nodes: await nodesAlive({ database }, now) }
}

const nothing = (id: number): channelRoutes.ChannelTraffic => ({
  id,
  count: 0,
  errors: 0,
  quota: 0,
  hours: Array.from({ length: channelRoutes.trafficHours }, () => null),
})

async function nodesAlive({ database }: Pick<Context, 'database'>, now: number): Promise<number> {
  const { nodes } = await database.query
    .selectFrom('workers')
    .where('heartbeat_at', '>', now - freshSeconds)
    .select((eb) => eb.fn.count<number>('node_id').distinct().as('nodes'))
    .executeTakeFirstOrThrow()
  return Math.max(1, nodes)
}
