import type { Context } from '../src/context'
import type { InFlight } from '../src/relay/in-flight/in-flight'
import type { Timers } from '../src/platform/time/timers'

/** Checks that calls have left nothing behind, for each world that is open. */
export const leftBehindChecks = new Set<() => Promise<void>>()

/** What ends with its call may end a few turns after the client has its response; a leak never does. */
const timeoutMs = 4000
const pauseMs = 1

export interface CountedTimers extends Timers {
  /** How many are pending. */
  readonly pending: number
}

/** Counts what is begun through them and has neither come nor been cancelled. */
export function countedTimers(timers: Timers): CountedTimers {
  const pending = new Set<object>()
  const track = (begin: (over: () => void) => () => void) => {
    const timer = {}
    pending.add(timer)
    const over = () => void pending.delete(timer)
    const cancel = begin(over)
    return () => {
      over()
      cancel()
    }
  }
  return {
    get pending() {
      return pending.size
    },
    soon: (work) => timers.soon(work),
    wait: (ms) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const over = track((end) => {
        void timers.wait(ms).then(end).then(resolve)
        return () => {}
      })
      return promise.then(over)
    },
    after: (ms, work) =>
      track((over) =>
        timers.after(ms, () => {
          over()
          work()
        }),
      ),
    every: (ms, work) => track(() => timers.every(ms, work)),
  }
}

interface Leavings {
  readonly ctx: Pick<Context, 'health' | 'ledger'>
  readonly inFlight: Pick<InFlight, 'count' | 'upstreams' | 'memory'>
  readonly timers: Pick<CountedTimers, 'pending'>
}

/** Resolves when nothing of any call is left. @throws Error naming what is left for good. */
export async function requireEmpty(leavings: Leavings): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (let left = describeLeftovers(leavings); left !== ''; left = describeLeftovers(leavings)) {
    if (performance.now() > deadline) throw new Error(`Calls left behind: ${left}`)
    await Bun.sleep(pauseMs)
  }
}

function describeLeftovers({ ctx: { health, ledger }, inFlight, timers }: Leavings): string {
  const counts = {
    'calls in flight': inFlight.count,
    'upstream calls': inFlight.upstreams.count,
    'bytes in memory': inFlight.memory.used,
    'calls counted for memory': inFlight.memory.calls,
    'slots taken': [...health.slots.listOccupied().values()].reduce((sum, { inside }) => sum + inside, 0),
    'calls waiting for a slot': health.slots.waiting,
    'quota reserved': ledger.stats().reserved,
    'windows in use': ledger.stats().windowsInUse,
    'timers pending': timers.pending,
  }
  return Object.entries(counts)
    .filter(([, count]) => count !== 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')
}
