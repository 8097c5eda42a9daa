import { channelStatus, dashboardRoutes } from '@tollgate/contract'

import type { Queries } from '../../store/database'
import { openBooks, type Books } from '../../analytics/folds'
import { callsByKey, callsByKeyAndHour, foldedUntil } from '../../analytics/read-sums'
import { bucketsOf } from './buckets'
import { nothingKnown, rollupSums, type Known, type RollupsAsked } from './rollup-sums'
import { hourSeconds, type Span } from './span'

type Cells = dashboardRoutes.ChannelHealth['cells']

/** Each channel with traffic in the span or that is enabled, by the hour, most traffic first. */
export async function channelHealth(query: Queries, span: Span): Promise<dashboardRoutes.ChannelHealthData> {
  const times = [...bucketsOf(span, 'hour', 0).times]
  const books = await openBooks(query)
  const known = nothingKnown()
  const totals = await readTotals(books, span, known)
  const busiest = [...totals]
    .sort(([oneId, one], [otherId, other]) => other - one || oneId - otherId)
    .slice(0, dashboardRoutes.mostHealthChannels)
    .map(([id]) => id)
  const traffic = await readTraffic(books, span, times, busiest, known)
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

/** Calls and failures of each channel: channels are many, and few are shown. */
async function readTotals(books: Books, span: Span, known: Known): Promise<Map<number, number>> {
  const totals = new Map<number, number>()
  const add = (id: number, calls: number) => {
    if (id !== 0) totals.set(id, (totals.get(id) ?? 0) + calls)
  }
  const { hours, rest } = parted(books, span)
  const sums = await callsByKey(books, { dimension, filter: {}, hours })
  for (const { key, count, errors } of sums) add(Number(key), count + errors)
  for await (const found of rollupSums(books.query, ofRollups(rest, known))) {
    for (const { key, count, errors } of found) add(Number(key), count + errors)
  }
  return totals
}

async function readTraffic(
  books: Books,
  span: Span,
  times: readonly number[],
  keys: readonly number[],
  known: Known,
): Promise<Map<number, Cells>> {
  const traffic = new Map<number, Cells>()
  if (keys.length === 0) return traffic
  const put = (id: number, hour: number, cell: Cells[number]) => {
    const cells = traffic.get(id) ?? times.map(() => null)
    cells[(hour - span.from) / hourSeconds] = cell
    traffic.set(id, cells)
  }
  const { hours, rest } = parted(books, span)
  const rows = await callsByKeyAndHour(books, { dimension, filter: {}, hours, keys })
  for (const { key, start, count, errors, use_time: seconds } of rows)
    put(Number(key), start, { count, errors, seconds })
  for await (const found of rollupSums(books.query, { ...ofRollups(rest, known), keys })) {
    for (const { key, bucket, count, errors, use_time: seconds } of found) {
      put(Number(key), bucket * hourSeconds, { count, errors, seconds })
    }
  }
  return traffic
}

const dimension = 'channel_id'

/** The hours that are added up by channel, and those after them. */
function parted({ folds }: Books, { from, before }: Span): { hours: Span; rest: Span } {
  const until = Math.max(from, Math.min(before, foldedUntil(folds, dimension)))
  return { hours: { from, before: until }, rest: { from: until, before } }
}

const ofRollups = (span: Span, known: Known): RollupsAsked => ({
  known,
  filter: {},
  span,
  grouping: 'channel',
  buckets: bucketsOf(span, 'hour', 0),
})
