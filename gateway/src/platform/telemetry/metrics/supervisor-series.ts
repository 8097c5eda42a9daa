import { processSeries } from './process-series'
import { Measured, type Series } from './series'

/** What the supervisor knows about its workers. */
export interface WorkerCounts {
  readonly wanted: number
  readonly alive: number
  readonly restarts: number
}

/** Returns what only the supervisor can report. */
export const supervisorSeries = (counts: () => WorkerCounts): Series[] => [
  ...processSeries(),
  new Measured('tollgate_workers', 'Workers there are to be.', () => counts().wanted),
  new Measured('tollgate_workers_alive', 'Workers that run.', () => counts().alive),
  new Measured('tollgate_worker_restarts_total', 'Workers that died and were replaced.', () => counts().restarts, {
    type: 'counter',
  }),
]
