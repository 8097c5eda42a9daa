import { channelStatus, dashboardRoutes } from '@tollgate/contract'

import type { Queries } from '../../store/database'
import { bucketsOf } from './buckets'
import type { Span } from './span'
import { overviewSums, sumsOverTime } from './usage-sums'

type Cells = dashboardRoutes.ChannelHealth['cells']

/** Each channel with traffic in the span or that is enabled, by the hour, most traffic first. */
export async function channelHealth(query: Queries, span: Span): Promise<dashboardRoutes.ChannelHealthData> {
  const times = [...bucketsOf(span, 'hour', 0).times]
  const totals = await readTotals(query, span)
  const busiest = [...totals]
    .sort(([oneId, one], [otherId, other]) => other - one || oneId - otherId)
    .slice(0, dashboardRoutes.mostHealthChannels)
    .map(([id]) => id)
  const traffic = await readTraffic(query, span, times, busiest)
  const known = await query.selectFrom('channels').select(['id', 'name', 'status']).orderBy('id').execute()
  const quiet = known.filter(({ id, status }) => status === channelStatus.enabled && !totals.has(id))
  const byId = new Map(known.map((channel) => [channel.id, channel]))
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

/** Calls and failures of each channel: channels are many, and few are shown. */
async function readTotals(query: Queries, span: Span): Promise<Map<number, number>> {
  const totals = new Map<number, number>()
  const asked = { filter: {}, span, grouping: 'channel', buckets: bucketsOf(span, 'hour', 0), most: Infinity } as const
  for await (const found of overviewSums(query, asked)) {
    for (const { key, count, errors } of found) {
      if (key === undefined || key === 0) continue
      totals.set(Number(key), (totals.get(Number(key)) ?? 0) + count + errors)
    }
  }
  return totals
}

async function readTraffic(
  query: Queries,
  span: Span,
  times: readonly number[],
  keys: readonly number[],
): Promise<Map<number, Cells>> {
  const traffic = new Map<number, Cells>()
  if (keys.length === 0) return traffic
  const buckets = bucketsOf(span, 'hour', 0)
  for await (const found of sumsOverTime(query, { filter: {}, span, grouping: 'channel', buckets, keys })) {
    for (const { key, bucket, count, errors, use_time: seconds } of found) {
      const cells = traffic.get(Number(key)) ?? times.map(() => null)
      cells[bucket - buckets.first] = { count, errors, seconds }
      traffic.set(Number(key), cells)
    }
  }
  return traffic
}
