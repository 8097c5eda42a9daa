import { readFileSync } from 'node:fs'

import { childrenOf } from '../e2e/gateway'

/** Of the kernel's clock in `/proc`, on every Linux in use. */
const ticksPerSecond = 100

/** A process and its children, as one. */
export const familyOf = (processId: number): number[] => [processId, ...childrenOf(processId).flatMap(familyOf)]

/** Seconds of CPU the processes have used, in user and kernel mode. */
export const cpuSecondsOf = (processIds: readonly number[]): number => sumOf(processIds, cpuSecondsOfOne)

/** Megabytes of resident memory; pages of files, which processes of one program share, count once. */
export function memoryOf(processIds: readonly number[]): number {
  const statuses = processIds.map((processId) => readFileSync(`/proc/${processId}/status`, 'utf8'))
  const megabytes = (status: string, field: string) =>
    Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  const own = statuses.reduce((sum, one) => sum + megabytes(one, 'RssAnon') + megabytes(one, 'RssShmem'), 0)
  return own + Math.max(...statuses.map((one) => megabytes(one, 'RssFile')), 0)
}

function cpuSecondsOfOne(processId: number): number {
  const stat = readFileSync(`/proc/${processId}/stat`, 'utf8')
  // the name, in parentheses, may hold anything; the fields after it are numbers
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

const sumOf = (processIds: readonly number[], value: (processId: number) => number): number =>
  processIds.reduce((sum, processId) => sum + value(processId), 0)

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
