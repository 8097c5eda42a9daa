import { dimensionNames, dimensions, type DimensionName } from './dimensions'
import { pairs, type Pair } from './pairs'

/**
 * Sums of longer times, made of those of a column or of a pair of them: long charts read fewer rows. They stand beside
 * what they are made of, under a number of their own.
 */
export type LongSums = { readonly number: number; readonly spans: readonly number[] } & (
  | { readonly column: DimensionName }
  | { readonly pair: Pair }
)

/** Seconds of time that one row is about. Weeks begin on Thursday, as 1970 did. */
export const longSpans = { third: 28_800, week: 604_800 } as const

/** The number of the sums of longer times that are made of others. */
export const longNumber = (source: number): number => 100 + source

/** Users are many, and few of them are there every day: their weeks would be about as many rows as their days. */
const hasLongSums = (name: DimensionName): boolean => name !== 'user_id'

const ofColumn = (column: DimensionName): LongSums => ({
  number: longNumber(dimensions[column]),
  spans: [longSpans.third, longSpans.week],
  column,
})

/** Pairs have thirds already. */
const ofPair = (pair: Pair): LongSums => ({ number: longNumber(pair.number), spans: [longSpans.week], pair })

export const longSums: readonly LongSums[] = [...dimensionNames.filter(hasLongSums).map(ofColumn), ...pairs.map(ofPair)]
