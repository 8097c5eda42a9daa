import { channelStatus, dashboardRoutes } from '@tollgate/contract'

import type { Queries } from '../../store/database'
import { readSumProgress, type SumProgress } from '../../analytics/sum-progress'
import type { Hours } from '../../analytics/hours'
import { readSums, sumsByKey } from '../../analytics/query'
import { bucketsOf, type Buckets } from './buckets'

type Cells = dashboardRoutes.ChannelHealth['cells']

/** Resolves with each channel that has traffic in the span or is enabled, by the hour, most traffic first. */
export async function channelHealth(query: Queries, span: Hours): Promise<dashboardRoutes.ChannelHealthData> {
  const buckets = bucketsOf(span, 'hour', 0)
  const times = [...buckets.times]
  const progress = await readSumProgress(query)
  const sums = await sumsByKey(progress, { filter: {}, hours: span, column })
  const totals = new Map([...sums].map(([key, { count, errors }]) => [Number(key), count + errors]))
  totals.delete(0)
  const busiest = [...totals]
    .sort(([oneId, one], [otherId, other]) => other - one || oneId - otherId)
    .slice(0, dashboardRoutes.mostHealthChannels)
    .map(([id]) => id)
  const traffic = await readTraffic(progress, span, buckets, busiest)
  const channels = await query.selectFrom('channels').select(['id', 'name', 'status']).orderBy('id').execute()
  const quiet = channels.filter(({ id, status }) => status === channelStatus.enabled && !totals.has(id))
  const byId = new Map(channels.map((channel) => [channel.id, channel]))
  const ids = [...busiest, ...quiet.map(({ id }) => id)].slice(0, dashboardRoutes.mostHealthChannels)
  return {
    times,
    channels: ids.map((id) => ({
      id,
      name: byId.get(id)?.name || `#${id}`,
      status: byId.get(id)?.status ?? 0,
      cells: traffic.get(id) ?? times.map(() => null),
    })),
  }
}

const column = 'channel_id'

async function readTraffic(
  progress: SumProgress,
  hours: Hours,
  buckets: Buckets,
  keys: readonly number[],
): Promise<Map<number, Cells>> {
  const traffic = new Map<number, Cells>()
  if (keys.length === 0) return traffic
  for await (const found of readSums(progress, { filter: {}, hours, column, keys, parts: buckets })) {
    for (const { key, part, count, errors } of found) {
      const cells = traffic.get(Number(key)) ?? buckets.times.map(() => null)
      cells[part - buckets.first] = { count, errors }
      traffic.set(Number(key), cells)
    }
  }
  return traffic
}
