import { readdirSync, readFileSync } from 'node:fs'

import { Measured, type Series } from './series'

const startedAt = (Date.now() - 1000 * process.uptime()) / 1000

/**
 * The process metrics of Prometheus' own client libraries, under the names that common dashboards use. A gateway is several processes:
 * seconds and memory are their sum; for open files the process with the most is reported, as each has the limit.
 * https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics
 */
export function processSeries(): Series[] {
  const series = [
    new Measured('process_cpu_seconds_total', 'Processor time, user and system.', cpuSeconds, { type: 'counter' }),
    new Measured('process_resident_memory_bytes', 'Resident memory.', residentBytes),
    new Measured('process_start_time_seconds', 'When the gateway was started, Unix time.', () => startedAt, {
      merge: 'min',
    }),
  ]
  if (process.platform !== 'linux') return series
  return [
    ...series,
    new Measured('process_open_fds', 'Open files and sockets, of the process with the most.', openFiles, {
      merge: 'max',
    }),
    new Measured('process_max_fds', 'Files and sockets a process may open.', maxFiles, { merge: 'min' }),
  ]
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const openFiles = lastKnown(() => readdirSync('/proc/self/fd').length)

const maxFiles = lastKnown(() => {
  const limit = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return Number(limit ?? Infinity) || Infinity
})

/** What the supervisor knows about its workers. */
export interface WorkerCounts {
  readonly target: number
  readonly alive: number
  readonly restarts: number
}

/** Returns what only the supervisor can report. */
export const supervisorSeries = (counts: () => WorkerCounts): Series[] => [
  ...processSeries(),
  new Measured('tollgate_workers', 'Workers there are to be.', () => counts().target),
  new Measured('tollgate_workers_alive', 'Workers that run.', () => counts().alive),
  new Measured('tollgate_worker_restarts_total', 'Workers that died and were replaced.', () => counts().restarts, {
    type: 'counter',
  }),
]

/**
 * Returns a function that reads a number from the system, and returns the last one while it cannot be read: the system exposes these
 * as files, and file descriptors may have run out.
 */
export function lastKnown(read: () => number): () => number {
  let last = 0
  return () => {
    try {
      last = read()
    } catch {
      // Tried again at the next reading.
    }
    return last
  }
}

/** Returns the resident memory of this process. */
export const residentBytes: () => number = lastKnown(() => process.memoryUsage.rss())
