import type { UsageFilter } from '../store/usage-conditions'
import { dimensions, filteredBy, type DimensionName } from './dimensions'
import { wholeWithin, type Hours } from './hours'

/** What was used at values of one column, added up by the values of another. */
export interface Pair {
  readonly number: number
  readonly one: DimensionName
  readonly other: DimensionName
}

/** Seconds of time that one row is about. A third of a day: where the sun is eight hours ahead, days begin with one. */
export const pairSpans = { third: 28_800, day: 86_400 } as const

/** Users are too many, and whose the sums of one user are is few rows anyway. Nobody asks for groups by more than their name. */
const ones = ['model_name', 'token_name', 'channel_id'] as const
const others = ['model_name', 'token_name', 'group', 'channel_id'] as const

export const pairs: readonly Pair[] = ones.flatMap((one) =>
  others
    .filter((other) => other !== one)
    .map((other) => ({ number: dimensions[one] * 10 + dimensions[other], one, other })),
)

/**
 * The pair by which everything within a filter is added up, by the values of `grouping` where one is given. Undefined: there
 * is none, or the filter and the grouping are about one column alone.
 */
export function pairOf(filter: UsageFilter, grouping?: DimensionName): Pair | undefined {
  if (filter.userId === null || filter.without) return undefined
  const columns = new Set(filteredBy(filter))
  if (columns.size === 0) return undefined
  if (grouping) columns.add(grouping)
  if (columns.size !== 2) return undefined
  return pairs.find(
    ({ one, other }) => isFiltered(filter, one) && columns.has(one) && columns.has(other) && isEnd(other, grouping),
  )
}

/** The pair whose rows stand by the values of the other column, where there is one. */
export const turned = (pair: Pair): Pair | undefined =>
  pairs.find(({ one, other }) => one === pair.other && other === pair.one)

const isFiltered = (filter: UsageFilter, name: DimensionName) => filteredBy(filter).includes(name)
const isEnd = (other: DimensionName, grouping: DimensionName | undefined) =>
  grouping === undefined || other === grouping

/** The whole thirds of days within some hours. */
export const thirdsWithin = (hours: Hours): Hours | undefined => wholeWithin(hours, pairSpans.third)
