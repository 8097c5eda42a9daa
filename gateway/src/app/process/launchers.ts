import { readFileSync } from 'node:fs'

import { systemTimers } from '../../platform/time/timers'
import { ordersVariable, type WorkerOrders } from './orders'

/** A process between the operator and the gateway: npm, a shell, `bun start`. */
export interface Launcher {
  readonly pid: number
  /** Distinguishes a process from a later one with the same id; empty where the system does not report it. */
  readonly startedAt: string
}

interface ProcessFacts extends Launcher {
  readonly parent: number
  readonly command: string
  readonly isZombie: boolean
}

/** Carries the launchers from `scripts/start.ts` to the gateway it becomes. */
export const launchersVariable = 'TOLLGATE_LAUNCHERS'

/** `npm exec …`, `npx …`, `bun start`, `bun run demo`. */
const runner =
  /^(?:\S*\/)?(?:npm|npx|(?:bun|bun\.exe) (?:run )?(?:start|demo|dev))\b|^(?:\S*\/)?node(?:js)? \S*\/(?:npm|npx)(?:-cli\.js)?\b/
/** What runners start their commands with. A shell that a person works in has no `-c`. */
const shell = /^(?:\S*\/)?(?:sh|bash|dash|zsh) -c\b/
const maxChainLength = 10

/**
 * Returns the processes that started this one on the way from `npx … start`, nearest first. The shell or service manager above the
 * outermost runner is not among them: the gateway may outlive those.
 */
export function launchersOf(pid: number, factsOf = readFacts): Launcher[] {
  const chain: ProcessFacts[] = []
  for (let at = factsOf(pid)?.parent ?? 0; at > 1 && chain.length < maxChainLength;) {
    const facts = factsOf(at)
    if (!facts || !(runner.test(facts.command) || shell.test(facts.command))) break
    chain.push(facts)
    at = facts.parent
  }
  const outermost = chain.findLastIndex(({ command }) => runner.test(command))
  return chain.slice(0, outermost + 1).map(({ pid, startedAt }) => ({ pid, startedAt }))
}

/** For a process that starts a gateway of its own, which must not outlive it. */
export const launchedByThisProcess = (): Record<string, string> => ({
  [launchersVariable]: encodeLaunchers([{ pid: process.pid, startedAt: readFacts(process.pid)?.startedAt ?? '' }]),
})

export const encodeLaunchers = (launchers: readonly Launcher[]): string =>
  launchers.map(({ pid, startedAt }) => `${pid}@${startedAt}`).join(' ')

export function decodeLaunchers(text: string): Launcher[] {
  return text.split(' ').flatMap((entry) => {
    const [, pid, startedAt = ''] = /^(\d+)@(\S*)$/.exec(entry) ?? []
    return pid === undefined ? [] : [{ pid: Number(pid), startedAt }]
  })
}

/** Returns whether each of them is still running. */
export const areAlive = (launchers: readonly Launcher[], factsOf = readFacts): boolean =>
  launchers.every(({ pid, startedAt }) => {
    if (startedAt === '') return isSignalable(pid)
    const facts = factsOf(pid)
    return facts !== null && facts.startedAt === startedAt && !facts.isZombie
  })

const pollIntervalMs = 500

/** Calls back once when a launcher has died: for instance by a signal to `npx` only, which neither npm nor a shell forwards. */
export function watchLaunchers(launchers: readonly Launcher[], onDeath: () => void): void {
  if (launchers.length === 0) return
  const stop = systemTimers.every(pollIntervalMs, () => {
    if (areAlive(launchers)) return
    stop()
    onDeath()
  })
}

function readFacts(pid: number): ProcessFacts | null {
  return process.platform === 'linux' ? factsFromProc(pid) : factsFromPs(pid)
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the name in parentheses may contain spaces and parentheses. */
function factsFromProc(pid: number): ProcessFacts | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return { pid, parent: Number(fields[1]), startedAt: fields[19] ?? '', command, isZombie: fields[0] === 'Z' }
  } catch {
    return null
  }
}

function factsFromPs(pid: number): ProcessFacts | null {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'ppid=,command=', '-p', String(pid)], { stderr: 'ignore' })
  const [, parent, command = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout.toString()) ?? []
  return parent === undefined ? null : { pid, parent: Number(parent), startedAt: '', command, isZombie: false }
}

function isSignalable(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

type Environment = Record<string, string | undefined>

/** The release whose memory management was measured. Its options are not stable: another release may refuse to start with them. */
const measuredRuntime = '1.4.5'

const memoryManagement = {
  // What survived minor collections may double, instead of triple, before the collector checks whether it is still needed: at 400 streams
  // that saves 60 MB, and costs no measurable CPU.
  BUN_JSC_heapGrowthMaxIncrease: '1',
  // Milliseconds. Besides collecting when allocation requires it the runtime collects every second, and calls wait for it: at 100 streams
  // the first token's p99 is 0.1 to 0.5 ms less without most of it, a frame's CPU 3 % less, and memory the same.
  BUN_GC_TIMER_INTERVAL: '60000',
  // Milliseconds. The allocator returns gaps between small pieces to the system on a thread of its own, for which it wakes with nearly
  // every timer: 2 to 10 % of a frame's CPU, for memory that is taken again at once. Larger pieces are still returned.
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: '1000',
}

/** Returns the environment of a worker: the operator's, and what the runtime reads there before any of our code runs. */
export const workerEnvironment = (
  environment: Environment,
  orders: WorkerOrders,
  runtime: string = Bun.version,
): Environment => ({
  ...(runtime === measuredRuntime && memoryManagement),
  ...environment,
  BUN_CONFIG_MAX_HTTP_REQUESTS: '65535',
  [ordersVariable]: JSON.stringify(orders),
})
