import type { Payer } from './site'

/** Outcome of one call as its client saw it. */
export interface CallOutcome {
  /** Part of the prompt, so that the upstream knows it too. */
  readonly name: string
  readonly payer: Payer
  readonly model: string
  /** Empty: no headers came. */
  readonly requestId: string
  /** 0: no headers came. */
  readonly status: number
  /** The client received the response to its last byte. */
  readonly isComplete: boolean
  /** The client went away before the end. */
  readonly hasLeft: boolean
  /** The client timed out. */
  readonly isLate: boolean
  /** Until its end; 0: a part of a session. */
  readonly ms: number
}
