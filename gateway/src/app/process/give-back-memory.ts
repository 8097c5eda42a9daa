import { residentBytes } from '../../platform/telemetry/metrics/process-series'
import type { InFlight } from '../../relay/in-flight/in-flight'
import type { Timers } from '../../platform/time/timers'

/** Between two checks. */
const pollIntervalMs = 1000
/** The same before the first call: the less garbage lies between the objects that stay, the less memory they hold. */
const pollIntervalMsBeforeCalls = 100
/** Less is not worth the pause once calls have been served. */
const worthBytes = 32 * 1024 * 1024
/** Before the first call a pause affects only the operator who sets the gateway up. */
const worthBytesBeforeCalls = 512 * 1024
/** The runtime discards compiled code once it is idle again; the second collection frees what that code held. */
const shrinksInARow = 2

export interface MemoryDeps {
  readonly inFlight: Pick<InFlight, 'count' | 'entered'>
  readonly residentBytes: () => number
  /** Blocks everything for some ten milliseconds. */
  readonly collect: () => void
  /** Does the same, and discards compiled code. */
  readonly shrink: () => void
}

/**
 * Returns a function to be called periodically, which gives back memory that the runtime would keep. Until the first call: what starting
 * and set-up used, compiled code included. After it: what a burst of calls left, once nothing was in flight at two consecutive checks;
 * their code stays.
 */
export function memoryPoll({ inFlight, residentBytes, collect, shrink }: MemoryDeps): () => void {
  let minBytes = residentBytes()
  let shrinksLeft = shrinksInARow
  let wasQuiet = false

  function beforeCalls(resident: number) {
    if (resident >= minBytes + worthBytesBeforeCalls) shrinksLeft = shrinksInARow
    if (shrinksLeft === 0) return
    shrinksLeft -= 1
    shrink()
    minBytes = residentBytes()
  }

  return () => {
    const isQuiet = inFlight.count === 0
    const resident = residentBytes()
    minBytes = Math.min(minBytes, resident)
    if (inFlight.entered === 0) beforeCalls(resident)
    else if (isQuiet && wasQuiet && resident >= minBytes + worthBytes) {
      collect()
      minBytes = residentBytes()
    }
    wasQuiet = isQuiet
  }
}

/** Checks periodically until the process ends. */
export function giveBackMemory(inFlight: InFlight, timers: Timers): void {
  const poll = memoryPoll({
    inFlight,
    residentBytes,
    collect: () => Bun.gc(true),
    shrink: () => Bun.shrink(),
  })
  const pollAfter = (milliseconds: number) => {
    timers.after(milliseconds, () => {
      poll()
      pollAfter(inFlight.entered === 0 ? pollIntervalMsBeforeCalls : pollIntervalMs)
    })
  }
  pollAfter(pollIntervalMs)
}
