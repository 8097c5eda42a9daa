import type { Pace } from '../src/store/pace'

/** Without rests. */
export const noRests = (rows = 1000): Pace => ({ rows, part: (work) => work() })
