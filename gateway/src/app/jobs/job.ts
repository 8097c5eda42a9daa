import type { systemRoutes } from '@tollgate/contract'

import type { Topic } from '../../platform/store/changes'

/** Called as often as a long run comes further. */
export type OnProgress = (progress: systemRoutes.JobProgress) => void

/** Work that repeats, on one worker of all. */
export interface Job {
  readonly name: string
  /** Milliseconds between two runs. The job itself decides whether there is something to do. */
  readonly everyMs: number
  /** Changes of this topic also start it, within the second in which they are received. */
  readonly wokenBy?: Topic
  /** Ends soon after the signal. */
  run(signal: AbortSignal, onProgress?: OnProgress): Promise<void>
}
