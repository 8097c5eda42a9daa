import { channelRoutes, channelStatus, dashboardRoutes } from '@tollgate/contract'

import type { Queries } from '../../platform/store/database'
import { readSumProgress, type Hours, type SumProgress } from '../../billing/analytics/rollups'
import { readSums, sumsByKey } from '../../billing/analytics/query'
import { bucketsOf, type Buckets } from './chart-query'

type Cells = dashboardRoutes.ChannelHealth['cells']

interface Attempts {
  readonly count: number
  readonly errors: number
}

interface ChannelAttempts extends Attempts {
  readonly id: number
  readonly name: string
  readonly status: number
}

/** Resolves with each channel that has traffic in the span, is enabled, or was disabled after an error: the worst first, by the hour. */
export async function channelHealth(
  query: Queries,
  span: Hours,
  limit: number = dashboardRoutes.maxHealthChannels,
): Promise<dashboardRoutes.ChannelHealthData> {
  const buckets = bucketsOf(span, 'hour', 0)
  const times = [...buckets.times]
  const progress = await readSumProgress(query)
  const sums = await sumsByKey(progress, { filter: {}, hours: span, column })
  const channelAttempts = joinAttempts(
    await query.selectFrom('channels').select(['id', 'name', 'status']).execute(),
    sums,
  )
  const listed = channelAttempts.toSorted(worseFirst).slice(0, limit)
  const busy = listed.filter(hasTraffic).map(({ id }) => id)
  const traffic = await readTraffic(progress, span, buckets, busy)
  return {
    times,
    channels: listed.map(({ id, name, status }) => ({
      id,
      name,
      status,
      cells: traffic.get(id) ?? times.map(() => null),
    })),
    total: channelAttempts.length,
    failing: channelAttempts.filter(isTroubled).length,
    healthy: channelAttempts.filter((channel) => hasTraffic(channel) && channel.errors < attemptsOf(channel) / 100)
      .length,
    quiet: channelAttempts.filter((channel) => !hasTraffic(channel)).length,
  }
}

const column = 'channel_id'

type ChannelFacts = Pick<ChannelAttempts, 'id' | 'name' | 'status'>

/** A channel that is gone has its traffic, and no status. */
function joinAttempts(
  channels: readonly ChannelFacts[],
  sums: ReadonlyMap<string, Attempts>,
): readonly ChannelAttempts[] {
  const known = new Map(channels.map((channel) => [channel.id, channel]))
  const ids = new Set([...known.keys(), ...[...sums.keys()].map(Number)])
  // Attempts that no channel made.
  ids.delete(0)
  return [...ids]
    .map((id) => {
      const { count, errors } = sums.get(String(id)) ?? { count: 0, errors: 0 }
      const { name = '', status = 0 } = known.get(id) ?? {}
      return { id, name: name || `#${id}`, status, count, errors }
    })
    .filter((channel) => hasTraffic(channel) || channel.status === channelStatus.enabled || isOut(channel))
}

const attemptsOf = ({ count, errors }: Attempts) => count + errors
const hasTraffic = (attempts: Attempts) => attemptsOf(attempts) > 0
const isOut = ({ status }: ChannelFacts) => status === channelStatus.autoDisabled
const isTroubled = (channel: ChannelAttempts) =>
  isOut(channel) || (channel.status === channelStatus.enabled && channelRoutes.isFailing(channel))

/** A few attempts weigh little: one failed out of one counts as ten out of a hundred. */
const badness = (channel: ChannelAttempts) => channel.errors / (attemptsOf(channel) + 10)

/** Channels that failed calls within the span come before those that were out all the time. */
const rank = (channel: ChannelAttempts) =>
  2 * Number(hasTraffic(channel) && isTroubled(channel)) + Number(isOut(channel))

const worseFirst = (one: ChannelAttempts, other: ChannelAttempts) =>
  rank(other) - rank(one) || badness(other) - badness(one) || attemptsOf(other) - attemptsOf(one) || one.id - other.id

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
