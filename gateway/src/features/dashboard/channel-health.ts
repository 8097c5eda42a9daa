import { channelStatus, dashboardRoutes } from '@tollgate/contract'

import type { Queries } from '../../store/database'
import { bucketsOf } from './buckets'
import type { Span } from './span'
import { sumsOverTime } from './usage-sums'

type Cells = dashboardRoutes.ChannelHealth['cells']

interface Traffic {
  total: number
  readonly cells: Cells
}

/** Each channel with traffic in the span or that is enabled, by the hour, most traffic first. */
export async function channelHealth(query: Queries, span: Span): Promise<dashboardRoutes.ChannelHealthData> {
  const times = [...bucketsOf(span, 'hour', 0).times]
  const traffic = await readTraffic(query, span, times)
  const known = await query.selectFrom('channels').select(['id', 'name', 'status']).orderBy('id').execute()
  const quiet = known.filter(({ id, status }) => status === channelStatus.enabled && !traffic.has(id))
  const byId = new Map(known.map((channel) => [channel.id, channel]))
  const busiest = [...traffic].sort(([oneId, one], [otherId, other]) => other.total - one.total || oneId - otherId)
  const ids = [...busiest.map(([id]) => id), ...quiet.map(({ id }) => id)].slice(0, dashboardRoutes.mostHealthChannels)
  return {
    times,
    channels: ids.map((id) => ({
      id,
      name: byId.get(id)?.name || `#${id}`,
      status: byId.get(id)?.status ?? 0,
      cells: traffic.get(id)?.cells ?? times.map(() => null),
    })),
  }
}

async function readTraffic(query: Queries, span: Span, times: readonly number[]): Promise<Map<number, Traffic>> {
  const traffic = new Map<number, Traffic>()
  const buckets = bucketsOf(span, 'hour', 0)
  for await (const found of sumsOverTime(query, { filter: {}, span, grouping: 'channel', buckets })) {
    for (const { key, bucket, count, errors, use_time: seconds } of found) {
      const id = Number(key)
      if (id === 0) continue
      const channel = traffic.get(id) ?? { total: 0, cells: times.map(() => null) }
      channel.total += count + errors
      channel.cells[bucket - buckets.first] = { count, errors, seconds }
      traffic.set(id, channel)
    }
  }
  return traffic
}
