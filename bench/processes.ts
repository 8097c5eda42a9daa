import { readdirSync, readFileSync } from 'node:fs'

import { childrenOf } from '../e2e/gateway'

/** A process and its children, as one. */
export const familyOf = (processId: number): number[] => [processId, ...childrenOf(processId).flatMap(familyOf)]

/**
 * From now on: microseconds of CPU that the processes use, in user and kernel mode, by the scheduler's clock. That of whole processes
 * counts in hundredths of a second, an eighth of what nginx takes in two. A thread that ends takes what it used along.
 */
export function startCpuClock(processIds: readonly number[]): { readonly microseconds: number } {
  const before = cpuOfThreads(processIds)
  return {
    get microseconds() {
      const used = [...cpuOfThreads(processIds)].map(([thread, now]) => now - (before.get(thread) ?? 0))
      return used.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1000
    },
  }
}

/** Nanoseconds by thread. */
function cpuOfThreads(processIds: readonly number[]): Map<string, number> {
  const threads = processIds.flatMap((processId) =>
    readdirSync(`/proc/${processId}/task`).map((thread) => `/proc/${processId}/task/${thread}/schedstat`),
  )
  const found = new Map(threads.flatMap((path) => cpuOfThread(path)))
  if (processIds.length > 0 && found.size === 0)
    throw new Error('This kernel does not tell the CPU of threads: no schedstat')
  return found
}

function cpuOfThread(path: string): [string, number][] {
  try {
    return [[path, Number(readFileSync(path, 'utf8').split(' ')[0])]]
  } catch {
    // It ended just now.
    return []
  }
}

/** Megabytes of resident memory; pages of files, which processes of one program share, count once. */
export function memoryOf(processIds: readonly number[]): number {
  const statuses = processIds.map((processId) => readFileSync(`/proc/${processId}/status`, 'utf8'))
  const megabytes = (status: string, field: string) =>
    Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  const own = statuses.reduce((sum, one) => sum + megabytes(one, 'RssAnon') + megabytes(one, 'RssShmem'), 0)
  return own + Math.max(...statuses.map((one) => megabytes(one, 'RssFile')), 0)
}

/** Where the parts run. Without `taskset` or a second core nothing is pinned. */
export interface Cores {
  /** Before the command of what is measured. */
  readonly launcher: readonly string[]
  readonly isPinned: boolean
}

/** Give one core to what is measured and move this process, load and upstream, to another. */
export function shareCores(): Cores {
  if (navigator.hardwareConcurrency < 2 || !Bun.which('taskset')) return { launcher: [], isPinned: false }
  Bun.spawnSync(['taskset', '-acp', '1', String(process.pid)])
  return { launcher: ['taskset', '-c', '0'], isPinned: true }
}
