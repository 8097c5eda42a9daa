import type { Output } from './conversation'
import type { Hold } from './hold'

/** What arrived of a response. */
interface Arrived extends Output {
  /** Monotonic milliseconds. */
  readonly startedAt: number
  readonly firstOutputMs: number | null
}

/** A response that ended without its usage, which comes with that of the next one. */
export interface Late extends Arrived {
  readonly responseId: string
}

/** A response in progress. */
export interface Running {
  readonly hold: Hold
  readonly startedAt: number
  firstOutputMs: number | null
  text: string
  audioLength: number
  /** It is charged with the one before it. */
  readonly hasLate: boolean
}

/** A response that the client requested and that has not begun. */
export interface Requested {
  /** The id of the client's event. */
  readonly eventId: string
  readonly hold: Hold
  /** Monotonic milliseconds. */
  readonly requestedAt: number
}

export const emptyOutput = { firstOutputMs: null, text: '', audioLength: 0 }
