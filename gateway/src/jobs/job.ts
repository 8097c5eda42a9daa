import type { Topic } from '../store/changes'

/** Work that repeats, on one worker of all. */
export interface Job {
  readonly name: string
  /** Milliseconds between two looks. The job itself decides whether there is something to do. */
  readonly everyMs: number
  /** News of this also start it, within the second in which they are heard. */
  readonly wokenBy?: Topic
  /** Ends soon after the signal. */
  run(signal: AbortSignal): Promise<void>
}
