import { wholeWithin, type Hours } from './hours'

/** Sums that are each about so many seconds, up to where they are added up. */
export interface Level {
  /** Which sums. */
  readonly number: number
  readonly span: number
  readonly until: number
}

/** Hours to be read from the sums of one level. */
export interface Stretch extends Hours {
  readonly number: number
  readonly span: number
}

/** Some hours in the fewest sums: the longest that lie within, and shorter ones at both ends. Levels begin with the longest. */
export function stretchesOf({ from, before }: Hours, levels: readonly Level[]): Stretch[] {
  const [level, ...shorter] = levels
  if (!level) return []
  const { number, span, until } = level
  const within = wholeWithin({ from, before: Math.min(before, until) }, span)
  if (!within) return stretchesOf({ from, before }, shorter)
  return [
    ...stretchesOf({ from, before: within.from }, shorter),
    { number, span, ...within },
    ...stretchesOf({ from: within.before, before }, shorter),
  ]
}

/** Time in equal parts: a second falls into `floor((second + shift) / size)`. */
export interface Parts {
  readonly size: number
  readonly shift: number
}

/** A part is made of whole times of so many seconds. */
export const isMadeOf = ({ size, shift }: Parts, span: number): boolean => size % span === 0 && shift % span === 0
