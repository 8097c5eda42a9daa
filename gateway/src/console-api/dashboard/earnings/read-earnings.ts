import type { earningRoutes } from '@tollgate/contract'

import { readEarnings, readKeyEarnings, type EarningSum } from '../../../billing/analytics/query'
import { readSumProgress, type Hours, type SumProgress } from '../../../billing/analytics/rollups'
import type { Queries } from '../../../platform/store/database'
import { withModelNames } from '../../../platform/store/model-names'
import type { UsageFilter } from '../../../platform/store/usage-conditions'
import { spanBefore, type Buckets } from '../chart-query'
import { columns } from '../series-names'
import { addEarnings, earningsOf, noEarnings } from './earning-sums'

type Sums = earningRoutes.EarningSums

export interface EarningsQuery {
  readonly filter: UsageFilter
  /** The fingerprint of an upstream key; set or grouped by, sums of upstream keys are read, which have no filter but the channel. */
  readonly key?: string | undefined
  readonly span: Hours
  readonly buckets: Buckets
  readonly grouping: earningRoutes.EarningGrouping
}

export interface EarningsFound {
  readonly totals: Sums
  readonly previous: Sums
  /** One for each of the buckets. */
  readonly byTime: readonly Sums[]
  /** By the value of the grouping: by key the channel's id, a colon and the fingerprint; by time where the bucket begins. */
  readonly byKey: ReadonlyMap<string, Sums>
}

/** Resolves with what calls of a span brought and what vendors charge for them: in total, over time and by the values of the grouping. */
export async function findEarnings(query: Queries, earningsQuery: EarningsQuery): Promise<EarningsFound> {
  const { span, buckets, grouping } = earningsQuery
  const progress = await readSumProgress(query)
  const filter = await withModelNames(query, earningsQuery.filter)
  const read = (hours: Hours, by: By) => readBy(progress, { ...earningsQuery, filter }, hours, by)
  const byPart = await sumUp(read(span, { parts: buckets }), ({ part }) => part)
  const before = await sumUp(read(spanBefore(span), {}), () => 0)
  const byTime = buckets.times.map((_, index) => byPart.get(buckets.first + index) ?? noEarnings)
  return {
    totals: byTime.reduce(addEarnings, noEarnings),
    previous: before.get(0) ?? noEarnings,
    byTime,
    byKey:
      grouping === 'time'
        ? new Map(byTime.map((sums, index) => [String(buckets.times[index]), sums]))
        : await sumUp(read(span, { grouping }), ({ key }) => key),
  }
}

interface By {
  readonly parts?: Buckets
  readonly grouping?: Exclude<earningRoutes.EarningGrouping, 'time'>
}

function readBy(
  progress: SumProgress,
  { filter, key }: EarningsQuery,
  hours: Hours,
  { parts, grouping }: By,
): AsyncGenerator<readonly EarningSum[]> {
  const isByKey = grouping === 'key'
  if (key !== undefined || isByKey)
    return readKeyEarnings(progress.query, { hours, parts, channelId: filter.channelId, upstreamKey: key, isByKey })
  return readEarnings(progress, { filter, hours, column: grouping && columns[grouping], parts })
}

async function sumUp<Key>(lists: AsyncGenerator<readonly EarningSum[]>, keyOf: (sum: EarningSum) => Key) {
  const sums = new Map<Key, Sums>()
  for await (const found of lists) {
    for (const sum of found) sums.set(keyOf(sum), addEarnings(sums.get(keyOf(sum)) ?? noEarnings, earningsOf(sum)))
  }
  return sums
}
