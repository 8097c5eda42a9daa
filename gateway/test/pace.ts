import type { Pace } from '../src/platform/store/pace'

/** A pace without rests. */
export const noRests = (rows = 1000): Pace => ({ rows, part: (work) => work() })
