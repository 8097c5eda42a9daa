import type { Topic } from '../store/changes'

/** Work that repeats, on one worker of all. */
export interface Job {
  readonly name: string
  /** Milliseconds between two runs. The job itself decides whether there is something to do. */
  readonly everyMs: number
  /** Changes of this topic also start it, within the second in which they are received. */
  readonly wokenBy?: Topic
  /** Ends soon after the signal. */
  run(signal: AbortSignal): Promise<void>
}
