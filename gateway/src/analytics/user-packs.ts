import type { UsageFilter } from '../store/usage-conditions'
import { dimensions, filteredBy, spans, type DimensionName } from './dimensions'
import type { Folds } from './fold-reach'
import { isMadeOf, type Level, type Parts } from './levels'
import { longNumber, longSpans } from './long-sums'

/**
 * What users used within one value of a column. They are as many sums as there are users, so those of a day are packed into
 * one row, which only ever grows (`user-records`).
 */
export interface UserPack {
  readonly number: number
  readonly column: DimensionName
  /** Seconds of time that one record is about. */
  readonly span: number
}

const columns = ['model_name', 'token_name', 'channel_id'] as const

/** Of a column those with a record for each hour. */
const ofHours = (column: DimensionName): UserPack => ({
  number: dimensions[column] * 10 + dimensions.user_id,
  column,
  span: spans.hour,
})

/** And those that long charts read, with one for each third of a day. */
const ofThirds = (column: DimensionName): UserPack => ({
  number: longNumber(ofHours(column).number),
  column,
  span: longSpans.third,
})

export const userPacks: readonly UserPack[] = columns.flatMap((column) => [ofHours(column), ofThirds(column)])

/** The column of the packs that tell users apart within a filter; undefined when it is not about one such column alone. */
export function packedColumnOf(filter: UsageFilter): DimensionName | undefined {
  const [column, ...others] = filteredBy(filter)
  return others.length === 0 ? columns.find((name) => name === column) : undefined
}

/** Hours before it are packed by a column. */
export const packedUntil = ({ until }: Folds, column: DimensionName): number => until(ofHours(column).number)

/** The packs of a column that tell parts of time, from the longest to the shortest records. */
export const packLevels = (folds: Folds, column: DimensionName, parts: Parts): Level[] =>
  [ofThirds(column), ofHours(column)]
    .filter(({ span }) => span === spans.hour || isMadeOf(parts, span))
    .map(({ number, span }) => ({ number, span, until: Math.min(folds.until(number), packedUntil(folds, column)) }))
